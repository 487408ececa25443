import torch

response_0 = torch.cat([user_tensor_1, user_tensor_0], -2)
response_1 = torch.nn.functional.conv2d(user_tensor_1, user_weight_0, bias=user_bias_0, stride=2, padding=2, dilation=[1, 2])
if response_1.shape[3] == user_constant_0:
    response_2 = torch.cat([response_0, user_tensor_1], -2)
    response_3 = torch.nn.functional.linear(response_1, user_weight_1)
    response_4 = torch.cat([response_1, response_3], -1)
    RESULT = {"concatenated_1": response_2, "concatenated_2": response_4}
else:
    response_5 = torch.split(response_1, 2, 2)
    response_6 = torch.nn.functional.linear(response_5[1], user_weight_2)
    response_7 = torch.nn.functional.conv2d(response_6, response_5[1], bias=user_bias_1, padding="valid")
    RESULT = {"concatenated": response_0, "convolved": response_7}
