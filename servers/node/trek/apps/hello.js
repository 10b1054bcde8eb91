import Engine from 'trek-engine';

const app = new Engine();

app.use(async ({ req, res }) => {
  if (req.path === '/hello') {
    res.type = 'text';
    res.body = 'Hello World';
  } else {
    res.status = 404;
    res.type = 'text';
    res.body = 'Not Found';
  }
});

export default app;
