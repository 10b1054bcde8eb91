import send from '@polka/send-type';

import { application } from '../lib/application.js';
import { echoMessages } from '../lib/echo.js';

const app = application();

// Comes here where no upgrade is asked for.
app.get('/ws', (request, response) => {
  send(response, 426, 'Upgrade Required', { Upgrade: 'websocket' });
});

/** The application, whose server also takes WebSockets. */
export default {
  listen(...where) {
    const listening = app.listen(...where);
    echoMessages(listening.server);
    return listening;
  },
};
