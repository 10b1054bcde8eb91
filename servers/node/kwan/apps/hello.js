import { Application } from '../kwan/index.js';
import { router } from '../kwan/middlewares/router.js';

const routes = router();

routes.get('/hello', async ({ res }) => {
  res.body = 'Hello World';
});

export default new Application().use(routes.middleware());
