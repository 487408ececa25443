/** The documentation for Python: PyTorch itself. */
import { writeTensorDocumentation } from './text.ts'

export const python = writeTensorDocumentation({
  fence: 'python',
  use: 'They are available through `import torch`.',
  passing: 'Arguments may be passed by position or by name.',
  attributes:
    '`t.shape` holds a tensor\'s sizes (`t.shape[1]`, `len(t.shape)`), `str(t.dtype)` is the name of its dtype, such as "torch.float32". `torch.argmax(t).item()` is the zero-based row-major index of its largest element, `torch.argmin(t).item()` that of the smallest.',
  list: 'They are a tuple of tensors.',
  errors: 'Shapes that do not fit raise an error at the call.',
  examples: {
    cat: `rows = torch.cat([a, b, c])  # a, b, c of shape [2, 5]: rows of shape [6, 5]
wide = torch.cat([a, b], dim=1)  # of shape [2, 10]`,
    split: `halves = torch.split(x, 2, dim=1)  # x of shape [3, 4]: two pieces of shape [3, 2]
parts = torch.split(x, [1, 3], dim=-1)
last = parts[1]  # of shape [3, 3]`,
    transpose: `t = torch.transpose(x, 0, 2)  # x of shape [4, 5, 6]: t of shape [6, 5, 4]`,
    permute: `t = torch.permute(x, [2, 0, 1])  # x of shape [4, 5, 6]: t of shape [6, 4, 5]`,
    linear: `y = torch.nn.functional.linear(x, weight)  # x of shape [7, 3], weight [2, 3]: y of shape [7, 2]
z = torch.nn.functional.linear(x, weight, bias=bias)`,
    conv2d: `y = torch.nn.functional.conv2d(x, weight, stride=2, padding=1)  # x of shape [1, 3, 8, 8], weight [4, 3, 3, 3]: y of shape [1, 4, 4, 4]
z = torch.nn.functional.conv2d(x, weight, bias=bias, padding="same")`,
  },
})
