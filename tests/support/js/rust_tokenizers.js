// The Rust library of tokenizer.json, from npm's package `tokenizers`.
import { requireOf } from './installed_package.js';

const require = await requireOf('rust_tokenizers');
export const { Tokenizer } = require('tokenizers');
