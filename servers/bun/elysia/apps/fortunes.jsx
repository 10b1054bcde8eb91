import { html, Html } from '@elysiajs/html';

import { application } from '../lib/application.js';
import { readFortunes } from '../lib/rows.js';

// A child is escaped where its element says `safe`.
const Row = ({ id, message }) => (
  <tr>
    <td>{id}</td>
    <td safe>{message}</td>
  </tr>
);

const Page = ({ fortunes }) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <title>Fortunes</title>
    </head>
    <body>
      <table>
        <tr>
          <th>id</th>
          <th>message</th>
        </tr>
        {fortunes.map((fortune) => <Row {...fortune} />)}
      </table>
    </body>
  </html>
);

export default application().use(html()).get('/fortunes', async ({ query, status }) => {
  if (!query.added) {
    return status(400, 'added must be a text');
  }
  return <Page fortunes={await readFortunes(query.added)} />;
});
