import torch

response_0 = torch.split(user_tensor_1, [3, 1, 1], 3)
response_1 = torch.permute(user_tensor_0, [2, 3, 0, 1])
if response_1.shape[3] == user_constant_0:
    response_2 = torch.permute(response_1, [-1, 0, 1, 2])
    response_3 = torch.nn.functional.linear(response_0[2], user_weight_0)
    response_4 = torch.split(response_2, 1, 3)
    RESULT = {"linear_output": response_3, "pieces": response_4}
else:
    response_5 = torch.cat([response_0[2], user_tensor_1], 3)
    response_6 = torch.permute(user_tensor_1, [1, 3, 0, 2])
    response_7 = torch.nn.functional.linear(response_5, user_weight_1)
    RESULT = {"permuted": response_6, "linear_output": response_7}
