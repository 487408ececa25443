import torch

response_0 = torch.split(user_tensor_0, 1, 1)
response_1 = torch.transpose(response_0[0], 3, 1)
response_2 = torch.transpose(response_1, 1, -4)
response_3 = torch.nn.functional.conv2d(user_tensor_1, user_weight_0, bias=user_bias_0, padding=1)
response_4 = torch.cat([response_3, user_tensor_2], 1)
RESULT = {"transposed": response_2, "concatenated": response_4}
