import torch

response_0 = torch.transpose(user_tensor_1, 3, -3)
response_1 = torch.permute(user_tensor_0, [1, 2, 3, 0])
if torch.argmax(response_1).item() == user_constant_0:
    response_2 = torch.permute(response_0, [1, 0, 3, 2])
    response_3 = torch.cat([user_tensor_1, user_tensor_0], 1)
    response_4 = torch.nn.functional.conv2d(response_3, user_weight_0, bias=user_bias_0, padding="same")
    RESULT = {"permuted_1": response_1, "permuted_2": response_2, "convolved": response_4}
else:
    response_5 = torch.cat([user_tensor_1, user_tensor_0])
    response_6 = torch.cat([user_tensor_1, response_5])
    response_7 = torch.nn.functional.conv2d(response_6, user_weight_1, dilation=2)
    RESULT = {"transposed": response_0, "permuted": response_1, "convolved": response_7}
