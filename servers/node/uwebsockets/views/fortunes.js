import { escape } from './escape.js';

const rowView = ({ id, message }) => `<tr><td>${id}</td><td>${escape(message)}</td></tr>`;

/** The page of `fortunes`, each with its `id` and `message`. */
export const fortunesView = (fortunes) => `<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <title>Fortunes</title>
</head>
<body>
  <table>
    <tr><th>id</th><th>message</th></tr>
    ${fortunes.map(rowView).join('\n    ')}
  </table>
</body>
</html>
`;
