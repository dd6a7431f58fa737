// The flow with its style, loaded with its first use.

import './flow.css';
import './details.css';
import './block.css';

export { Flow } from './flow.jsx';
