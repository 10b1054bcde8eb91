import { required } from '../lib/environment.js';

export default {
  '/*': { dir: required('WEBDYNO_STATIC') },
};
