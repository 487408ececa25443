import torch

response_0 = torch.cat([user_tensor_1, user_tensor_0])
response_1 = torch.transpose(response_0, 2, 1)
if torch.argmax(response_1).item() == user_constant_0:
    response_2 = torch.transpose(response_1, 0, 2)
    response_3 = torch.split(response_2, 2, -3)
    response_4 = torch.cat([response_3[0], response_3[1], response_2], 1)
    RESULT = {"concatenated": response_4}
else:
    response_5 = torch.nn.functional.linear(response_1, user_weight_0)
    response_6 = torch.cat([response_5, response_1], 3)
    response_7 = torch.nn.functional.conv2d(response_6, response_5, padding="same")
    RESULT = {"convolved": response_7}
