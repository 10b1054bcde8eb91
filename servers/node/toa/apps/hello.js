import Toa from 'toa';

const app = new Toa();

app.use(async function () {
  if (this.path === '/hello') {
    this.body = 'Hello World';
  } else {
    this.status = 404;
  }
});

export default app;
