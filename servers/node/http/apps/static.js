import { required } from '../lib/environment.js';
import { filesBelow } from '../lib/files.js';
import { router } from '../lib/router.js';

export default router({}, { otherwise: filesBelow(required('WEBDYNO_STATIC')) });
