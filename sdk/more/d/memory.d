/// Memory without D's runtime, and the functions that its compiler calls for arrays. What is taken lives as long as the
/// call: nothing need be freed.
module memory;

import ldc.intrinsics : llvm_trap, llvm_wasm_memory_grow, llvm_wasm_memory_size;

nothrow @nogc:
extern (C):

private enum size_t page = 65_536;
private extern __gshared ubyte __heap_base; // Where the linker lets memory begin; it has no other content.
private __gshared size_t next;

/// Room for so many bytes.
void* allocate(size_t size)
{
    if (next == 0)
        next = (cast(size_t)&__heap_base + 7) & ~cast(size_t) 7;
    const at = next;
    const end = cast(size_t) llvm_wasm_memory_size(0) * page;
    if (size > size_t.max - 7 - at)
        llvm_trap();
    next = (at + size + 7) & ~cast(size_t) 7;
    if (next > end && llvm_wasm_memory_grow(0, cast(int)((next - end + page - 1) / page)) < 0)
        llvm_trap();
    return cast(void*) at;
}

/// Memory for the host to write to: it asks for whole texts and lists, which may be empty.
void* cabi_realloc(void*, size_t, size_t, size_t size) => allocate(size);

/// An index beyond the end of a list, or an assertion that does not hold, ends the call.
void __assert(const(char)*, const(char)*, int)
{
    llvm_trap();
}

int memcmp(const(ubyte)* first, const(ubyte)* second, size_t size)
{
    for (size_t at; at < size; at++)
        if (first[at] != second[at])
            return first[at] - second[at];
    return 0;
}

void* memcpy(ubyte* to, const(ubyte)* from, size_t size)
{
    for (size_t at; at < size; at++)
        to[at] = from[at];
    return to;
}

void* memset(ubyte* to, int value, size_t size)
{
    for (size_t at; at < size; at++)
        to[at] = cast(ubyte) value;
    return to;
}
