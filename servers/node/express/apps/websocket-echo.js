import { application } from '../lib/application.js';
import { echoMessages } from '../lib/echo.js';

const app = application();

// Comes here where no upgrade is asked for.
app.get('/ws', (request, response) => {
  response.status(426).set('Upgrade', 'websocket').type('text').send('Upgrade Required');
});

/** The application, whose server also takes WebSockets. */
export default {
  listen(...where) {
    const server = app.listen(...where);
    echoMessages(server);
    return server;
  },
};
