/** The documentation for JavaScript: a module that offers PyTorch's functions under their own names. */
import { writeTensorDocumentation } from './text.ts'

export const javascript = writeTensorDocumentation({
  fence: 'js',
  use: "The module `torch` offers them under PyTorch's own names; it is available through `require('torch')` or `import torch from 'torch'`. Calls are synchronous.",
  passing:
    'Arguments are passed by position; optional ones may also stand in an object after them, such as `{ bias, stride: 2 }`.',
  attributes:
    "`t.shape` is the list of a tensor's sizes (`t.shape[1]`, `t.shape.length`), `String(t.dtype)` the name of its dtype, such as 'torch.float32'. `torch.argmax(t).item()` is the zero-based row-major index of its largest element, `torch.argmin(t).item()` that of the smallest.",
  list: 'They are an array of tensors.',
  errors: 'Shapes that do not fit throw an error at the call.',
  examples: {
    cat: `const rows = torch.cat([a, b, c]); // a, b, c of shape [2, 5]: rows of shape [6, 5]
const wide = torch.cat([a, b], 1); // of shape [2, 10]`,
    split: `const halves = torch.split(x, 2, 1); // x of shape [3, 4]: two pieces of shape [3, 2]
const parts = torch.split(x, [1, 3], -1);
const last = parts[1]; // of shape [3, 3]`,
    transpose: `const t = torch.transpose(x, 0, 2); // x of shape [4, 5, 6]: t of shape [6, 5, 4]`,
    permute: `const t = torch.permute(x, [2, 0, 1]); // x of shape [4, 5, 6]: t of shape [6, 4, 5]`,
    linear: `const y = torch.nn.functional.linear(x, weight); // x of shape [7, 3], weight [2, 3]: y of shape [7, 2]
const z = torch.nn.functional.linear(x, weight, { bias });`,
    conv2d: `const y = torch.nn.functional.conv2d(x, weight, { stride: 2, padding: 1 }); // x of shape [1, 3, 8, 8], weight [4, 3, 3, 3]: y of shape [1, 4, 4, 4]
const z = torch.nn.functional.conv2d(x, weight, { bias, padding: 'same' });`,
  },
})
