"""Plays a list of calls in MCP's own Python client: `solve.py URL`, calls as JSON lines on standard input.

Each line is {"name": …, "arguments": {…}}; what a tool answers is printed as a line before the next one is read.
"""

import asyncio
import json
import os
import sys

from mcp import ClientSession
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client


async def play(read, write):
    async with ClientSession(read, write) as session:
        await session.initialize()
        tools = await session.list_tools()
        prompt = await session.get_prompt("task")
        first = {"tools": [tool.name for tool in tools.tools], "text": prompt.messages[0].content.text}
        print(json.dumps(first), flush=True)
        for line in sys.stdin:
            call = json.loads(line)
            result = await session.call_tool(call["name"], call["arguments"])
            answer = {"text": result.content[0].text, "error": bool(result.is_error)}
            print(json.dumps(answer), flush=True)


async def main(target):
    if target.startswith("http"):
        async with streamable_http_client(target) as streams:
            await play(*streams[:2])
    else:
        command, *args = sys.argv[1:]
        async with stdio_client(StdioServerParameters(command=command, args=args, env=dict(os.environ))) as (read, write):
            await play(read, write)


asyncio.run(main(sys.argv[1]))
