import torch

response_0 = torch.permute(user_tensor_2, [2, 0, 1])
response_1 = torch.cat([user_tensor_0, user_tensor_1])
response_2 = torch.cat([user_tensor_1, response_1])
response_3 = torch.nn.functional.linear(response_2, user_weight_0)
if torch.argmin(response_3).item() == user_constant_0:
    response_4 = torch.permute(response_3, [1, 2, 3, 0])
    RESULT = {"permuted_1": response_0, "permuted_2": response_4}
else:
    response_5 = torch.split(response_3, [3, 1, 1, 3], 2)
    RESULT = {"permuted": response_0, "pieces": response_5}
