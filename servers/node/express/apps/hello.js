import express from 'express';

const app = express();
app.disable('x-powered-by');
app.disable('etag'); // no other framework hashes its answers unasked

app.get('/hello', (request, response) => {
  response.type('text').send('Hello World');
});

export default app;
