import torch

response_0 = torch.split(user_tensor_0, 1, 1)
response_1 = torch.nn.functional.linear(response_0[0], user_weight_0)
response_2 = torch.nn.functional.conv2d(user_tensor_1, user_weight_1, bias=user_bias_0, padding=1)
response_3 = torch.cat([user_tensor_2, response_1], 3)
response_4 = torch.transpose(response_2, 3, 2)
RESULT = {"concatenated": response_3, "transposed": response_4}
