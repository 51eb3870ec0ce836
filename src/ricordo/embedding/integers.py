"""A network that is stored in 8-bit integers and computes in floats → the same network that computes in integers.

The file of all-MiniLM-L6-v2 holds each weight as an integer times a number for its column, and turns all of them to
floats before it multiplies. Here each product becomes one MatMulNBits, which takes the very integers and makes 8-bit
integers of the other side too, each run of a row on its own: a third of the time for a question, 0.6 of it for a turn,
and a cosine of 0.9996 to the vectors as before, where one range for a whole product gives 0.99. Of the vocabulary
only the rows that a text needs are turned to floats; the process takes 130 MB less.
Source of the operator: https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md.

It is done once for each folder (see `prepared`). Whoever changes what it writes changes the checksum in the catalog.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from ricordo.embedding.wire import Message

#: Numbers of ONNX's fields: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto.
_GRAPH, _OPERATORS = 7, 8
_NODE, _TENSOR = 1, 5
_INPUT, _OUTPUT, _NODE_NAME, _OPERATOR, _DOMAIN = 1, 2, 3, 4, 7
_ATTRIBUTE, _ATTRIBUTE_NAME, _ATTRIBUTE_NUMBER, _ATTRIBUTE_KIND = 5, 1, 3, 20
_SHAPE, _ELEMENT, _TENSOR_NAME, _CONTENT = 1, 2, 8, 9
#: ONNX's numbers of two kinds of values.
_UNSIGNED_BYTES, _NUMBER_KIND = 2, 2

_MICROSOFT = b"com.microsoft"
#: Numbers that share a range, and the accuracy at which MatMulNBits computes in 8-bit integers.
_RUN, _IN_INTEGERS = 64, 4


def in_integers(path: Path) -> bytes:
    """The ONNX model at `path`, as it computes in integers.

    A stored weight is a Mul of a Cast of its integers and of its scale, one number for each column.
    """
    model = Message.read(memoryview(path.read_bytes()))
    graph = Message.read(model.parts(_GRAPH)[0])
    nodes = [Message.read(each) for each in graph.parts(_NODE)]
    tensors = {each.texts(_TENSOR_NAME)[0]: each for each in map(Message.read, graph.parts(_TENSOR))}
    casts = {name: node for name, node in _made_by(nodes, "Cast") if node.texts(_INPUT)[0] in tensors}
    weights = {name: node for name, node in _made_by(nodes, "Mul") if node.texts(_INPUT)[0] in casts}
    floats = casts.keys() | weights.keys()
    kept: list[Message] = []
    for node in nodes:
        used = next((weights[each] for each in node.texts(_INPUT) if each in weights), None)
        if used is not None:
            cast = casts[used.texts(_INPUT)[0]]
            if node.texts(_OPERATOR) == ["MatMul"]:
                kept.append(_product(node, cast.texts(_INPUT)[0], used.texts(_INPUT)[1], tensors))
            else:
                kept += _rows(node, cast, used)
        elif node.texts(_OUTPUT)[0] not in floats:
            kept.append(node)
    graph = graph.having(_NODE, kept).having(_TENSOR, [*tensors.values()])
    operators = Message([(1, _MICROSOFT), (2, 1)])
    model = model.having(_OPERATORS, [*model.parts(_OPERATORS), operators])
    return model.having(_GRAPH, [graph]).written()


def _made_by(nodes: Sequence[Message], operator: str) -> Iterator[tuple[str, Message]]:
    """What the nodes of one kind give, and the nodes."""
    return ((node.texts(_OUTPUT)[0], node) for node in nodes if node.texts(_OPERATOR) == [operator])


def _product(node: Message, integers: str, scale: str, tensors: dict[str, Message]) -> Message:
    """A MatMul with a weight, in integers. The weight's tensors become what the operator wants: columns ahead of rows,
    cut into runs that have a scale each, and 128 for zero."""
    scales = np.frombuffer(tensors[scale].parts(_CONTENT)[0], np.float32)
    columns = np.frombuffer(tensors[integers].parts(_CONTENT)[0], np.uint8).reshape(-1, len(scales)).T ^ 128
    shape = (len(scales), columns.shape[1] // _RUN, _RUN)
    of_runs = np.repeat(scales, shape[1])
    weight = tensors[integers].having(_SHAPE, shape).having(_ELEMENT, [_UNSIGNED_BYTES])
    tensors[integers] = weight.having(_CONTENT, [columns.tobytes()])
    tensors[scale] = tensors[scale].having(_SHAPE, [len(of_runs)]).having(_CONTENT, [of_runs.tobytes()])
    told = {"K": columns.shape[1], "N": len(scales), "bits": 8, "block_size": _RUN, "accuracy_level": _IN_INTEGERS}
    node = node.having(_INPUT, [node.parts(_INPUT)[0], integers.encode(), scale.encode()])
    node = node.having(_ATTRIBUTE, [_attribute(name, number) for name, number in told.items()])
    return node.having(_OPERATOR, [b"MatMulNBits"]).having(_DOMAIN, [_MICROSOFT])


def _attribute(name: str, number: int) -> Message:
    kind = (_ATTRIBUTE_KIND, _NUMBER_KIND)
    return Message([(_ATTRIBUTE_NAME, name.encode()), (_ATTRIBUTE_NUMBER, number), kind])


def _rows(node: Message, cast: Message, scaled: Message) -> Iterator[Message]:
    """A Gather of rows of a weight, which are made floats when they are gathered."""
    [found] = node.texts(_OUTPUT)
    integers, scale, floats = (f"{found} {each}".encode() for each in ("integers", "scale", "floats"))
    for source, name in ((cast.parts(_INPUT)[0], integers), (scaled.parts(_INPUT)[1], scale)):
        gathered = node.having(_INPUT, [source, *node.parts(_INPUT)[1:]])
        yield gathered.having(_OUTPUT, [name]).having(_NODE_NAME, [name])
    yield cast.having(_INPUT, [integers]).having(_OUTPUT, [floats])
    yield scaled.having(_INPUT, [floats, scale]).having(_OUTPUT, node.parts(_OUTPUT))
