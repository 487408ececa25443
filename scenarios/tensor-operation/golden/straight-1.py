import torch

response_0 = torch.nn.functional.linear(user_tensor_1, user_weight_0)
response_1 = torch.transpose(response_0, 0, 3)
response_2 = torch.transpose(user_tensor_1, -2, 0)
response_3 = torch.split(user_tensor_0, 1, 1)
response_4 = torch.nn.functional.linear(response_3[1], user_weight_0)
RESULT = {"transposed_1": response_1, "transposed_2": response_2, "linear_output": response_4}
