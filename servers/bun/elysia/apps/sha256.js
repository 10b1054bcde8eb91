import { application } from '../lib/application.js';
import { readAndDigest, rounds } from '../lib/digests.js';
import { required } from '../lib/environment.js';

const file = required('WEBDYNO_FILE');

export default application().get('/benchmark', ({ query, status }) => {
  const count = rounds(query.n);
  if (count === undefined) {
    return status(400, 'n must be an integer from 1 to 100000');
  }
  return readAndDigest(file, count);
});
