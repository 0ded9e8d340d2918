/// The contract: what is asked and answered, laid out as the canonical ABI says, which is how C lays out its structures;
/// and what a plugin needs of JSON. It is yours to read and to change.
module claimsmith;

import ldc.attributes : llvmAttr;
import memory : allocate;

nothrow @nogc:
extern (C):

/// A string or a list of bytes.
struct Text
{
nothrow @nogc:
    const(char)* at;
    size_t size;

    const(char)[] slice() const => at[0 .. size];

    static Text of(const(char)[] text) => Text(text.ptr, text.length);
}

/// What may be absent.
struct Option(T)
{
    bool some;
    T value;
}

/// How the token came to be asked for.
struct Grant
{
    Text type;
    Option!Text subjectTokenContext;
}

struct Variable
{
    Text name;
    Text value;
}

/// What the plugin is asked; the token and what it is about are JSON texts.
struct Request
{
nothrow @nogc:
    Text token;
    Option!Grant grant;
    Option!Text user, application, organization, interaction;
    const(Variable)* variables;
    size_t count;

    /// One of the plugin's variables and secrets; empty where it is not set.
    const(char)[] variable(const(char)[] name) const
    {
        foreach (ref each; variables[0 .. count])
            if (each.name.slice == name)
                return each.value.slice;
        return "";
    }
}

/// What it answers: claims as a JSON object, or why there are none.
struct Answer
{
    bool refused;
    size_t first, second, third; // Claims: at, size. A failure: its kind, at, size.
}

/// This JSON object has the claims.
Answer claims(const(char)[] json) => Answer(false, cast(size_t) json.ptr, json.length);

/// There is no token; the application is told why.
Answer deny(const(char)[] reason) => Answer(true, 0, cast(size_t) reason.ptr, reason.length);

/// The plugin could not do its work; the text goes to its log.
Answer fail(const(char)[] reason) => Answer(true, 1, cast(size_t) reason.ptr, reason.length);

@llvmAttr("wasm-import-module", "claimsmith:plugin/log@1.0.0") @llvmAttr("wasm-import-name", "write")
private void write(uint level, const(char)* at, size_t size);

/// Writes to the plugin's log, as information.
void log(const(char)[] line)
{
    write(1, line.ptr, line.length);
}

/// The contract's function, from one of the plugin.
mixin template plugin(alias answer)
{
    import claimsmith : Answer, Request;
    import ldc.attributes : llvmAttr;

    private __gshared Answer answered;

    @llvmAttr("wasm-export-name", "get-custom-jwt-claims")
    extern (C) const(Answer)* getCustomJwtClaims(const(Request)* request) nothrow @nogc
    {
        answered = answer(*request);
        return &answered;
    }
}

/// These texts, one after the other.
const(char)[] join(const(char)[][] texts...)
{
    size_t size;
    foreach (text; texts)
        size += text.length;
    auto all = (cast(char*) allocate(size))[0 .. size];
    size_t at;
    foreach (text; texts)
        foreach (unit; text)
            all[at++] = unit;
    return all;
}

/// The JSON string that says this text.
const(char)[] quote(const(char)[] text)
{
    static immutable digits = "0123456789abcdef";
    auto json = cast(char*) allocate(6 * text.length + 2);
    size_t size;
    json[size++] = '"';
    foreach (unit; text)
    {
        if (unit < ' ')
        {
            foreach (each; "\\u00")
                json[size++] = each;
            json[size++] = digits[unit >> 4];
            json[size++] = digits[unit & 15];
            continue;
        }
        if (unit == '"' || unit == '\\')
            json[size++] = '\\';
        json[size++] = unit;
    }
    json[size++] = '"';
    return json[0 .. size];
}

/// The value of an object's member, as the JSON text that it is; null where there is none. It trusts that the host sends
/// valid JSON, and compares names as they are written, without reading escapes in them.
const(char)[] member(const(char)[] json, const(char)[] name)
{
    size_t at = skip(json, 0);
    if (at == json.length || json[at] != '{')
        return null;
    for (at = skip(json, at + 1); at < json.length && json[at] == '"'; at = skip(json, at + 1))
    {
        const start = at;
        at = end(json, at);
        const found = json[start + 1 .. at - 1] == name;
        const from = skip(json, skip(json, at) + 1); // Past the colon.
        at = end(json, from);
        if (found)
            return json[from .. at];
        at = skip(json, at); // At a comma or at the end.
    }
    return null;
}

private size_t skip(const(char)[] json, size_t at)
{
    while (at < json.length && (json[at] == ' ' || json[at] == '\t' || json[at] == '\n' || json[at] == '\r'))
        at++;
    return at;
}

/// Where the value ends that starts here.
private size_t end(const(char)[] json, size_t at)
{
    int depth;
    for (; at < json.length; at++)
    {
        const unit = json[at];
        if (unit == '"')
        {
            for (at++; json[at] != '"'; at++)
                if (json[at] == '\\')
                    at++;
            if (depth == 0)
                return at + 1;
        }
        else if (unit == '{' || unit == '[')
            depth++;
        else if (unit == '}' || unit == ']')
        {
            if (depth == 0)
                return at; // A number or a word was the last of its list or object.
            if (--depth == 0)
                return at + 1;
        }
        else if (depth == 0 && (unit == ',' || unit == ' ' || unit == '\t' || unit == '\n' || unit == '\r'))
            return at;
    }
    return at;
}
