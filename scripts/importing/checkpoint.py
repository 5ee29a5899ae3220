"""A published checkpoint folder: pickled weights to safetensors, a SentencePiece model to tokenizer.json."""

from importing import sentencepiece
from importing.files import Writer, check_tensors, read_object, read_pickle, safetensors_bytes
from importing.problem import Problem

SAFETENSORS = ("model.safetensors", "model.safetensors.index.json")
PICKLED = "pytorch_model.bin"
INDEX = "pytorch_model.bin.index.json"
# What else makes a checkpoint folder, copied where it is to stand elsewhere.
COMPANIONS = (
    "config.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "vocab.txt",
    "vocab.json",
    "merges.txt",
    *sentencepiece.FILES,
)


def convert(source, output, force):
    """Lines that say what was written."""
    if not source.exists():
        raise Problem(f"{source}: no such folder")
    if not source.is_dir():
        raise Problem(f"{source}: is not a folder; --map FILE says what the tensors of a state dict are")
    if not (source / "config.json").exists():
        raise Problem(f"{source}: has no config.json, so it is no checkpoint folder")
    writer = Writer(output, force)
    elsewhere = output.resolve() != source.resolve()
    has_safetensors = any((source / name).exists() for name in SAFETENSORS)
    spoken = sentencepiece.find(source)
    if not has_safetensors or force and has_pickles(source):
        writer.add(SAFETENSORS[0], safetensors_bytes(read_weights(source), source))
    elif elsewhere:
        raise Problem(f"{source}: has safetensors already, and headlight reads them where they stand")
    if spoken and (force or not (source / "tokenizer.json").exists()):
        config = read_object(source / "config.json")
        settings = source / "tokenizer_config.json"
        tokenizer = sentencepiece.convert(spoken, config, read_object(settings) if settings.exists() else {})
        writer.add("tokenizer.json", tokenizer.encode())
    if not writer.contents:
        raise Problem(f"{source}: has nothing to import: safetensors stand there already")
    if elsewhere:
        for name in COMPANIONS:
            if (source / name).exists() and name not in writer.contents:
                writer.add(name, (source / name).read_bytes())
    return writer.write()


def has_pickles(folder):
    return (folder / PICKLED).exists() or (folder / INDEX).exists()


def read_weights(folder):
    """All tensors of pytorch_model.bin, or of the shards its index names."""
    if (folder / PICKLED).exists():
        return check_tensors(read_pickle(folder / PICKLED), folder / PICKLED)
    if not (folder / INDEX).exists():
        raise Problem(f"{folder}: has no weights: no {PICKLED} or {INDEX}")
    return read_shards(folder)


def read_shards(folder):
    owners = read_object(folder / INDEX).get("weight_map")
    if not isinstance(owners, dict) or not owners:
        raise Problem(f"{folder / INDEX}: weight_map: expected an object of tensors and their files")
    tensors = {}
    for shard in sorted(set(map(str, owners.values()))):
        if "/" in shard or "\\" in shard:
            raise Problem(f"{folder / INDEX}: found the file {shard!r}, expected one beside the index")
        tensors.update(check_tensors(read_pickle(folder / shard), folder / shard))
    for name in owners:
        if name not in tensors:
            raise Problem(f"{folder / owners[name]}: lacks the tensor {name}, which the index says it has")
    return tensors
