//! The contract: what is asked and answered, laid out as the canonical ABI says, which is how C lays out its structures.
//! Everything lives as long as the call: nothing need be freed. It is yours to read and to change.

const std = @import("std");

pub const memory = std.heap.wasm_allocator;

/// A string or a list of bytes.
pub const Text = extern struct {
    at: [*]const u8,
    size: usize,

    pub fn of(text: []const u8) Text {
        return .{ .at = text.ptr, .size = text.len };
    }

    pub fn slice(self: Text) []const u8 {
        return self.at[0..self.size];
    }
};

/// What may be absent.
pub fn Option(comptime T: type) type {
    return extern struct {
        some: bool,
        value: T,

        pub fn get(self: *const @This()) ?*const T {
            return if (self.some) &self.value else null;
        }
    };
}

/// How the token came to be asked for.
pub const Grant = extern struct { type: Text, subject_token_context: Option(Text) };

/// Who and what the token is about, as JSON texts.
pub const Context = extern struct {
    grant: Option(Grant),
    user: Option(Text),
    application: Option(Text),
    organization: Option(Text),
    interaction: Option(Text),
};

const Variable = extern struct { name: Text, value: Text };

/// What the plugin is asked.
pub const Request = extern struct {
    token: Text,
    context: Context,
    variables: extern struct { at: [*]const Variable, size: usize },

    /// One of the plugin's variables and secrets; empty where it is not set.
    pub fn variable(self: *const Request, name: []const u8) []const u8 {
        for (self.variables.at[0..self.variables.size]) |each| {
            if (std.mem.eql(u8, each.name.slice(), name)) return each.value.slice();
        }
        return "";
    }
};

/// What it answers: claims as a JSON object, or why there are none.
pub const Answer = extern struct {
    refused: bool,
    value: extern union { claims: Text, failure: extern struct { kind: enum(u8) { denied, failed }, text: Text } },
};

/// No claims.
pub const nothing: Answer = .{ .refused = false, .value = .{ .claims = .of("{}") } };

/// The members of this object become claims.
pub fn claims(object: anytype) !Answer {
    const json = try std.json.Stringify.valueAlloc(memory, object, .{});
    return .{ .refused = false, .value = .{ .claims = .of(json) } };
}

/// There is no token; the application is told why.
pub fn deny(reason: []const u8) Answer {
    return .{ .refused = true, .value = .{ .failure = .{ .kind = .denied, .text = .of(reason) } } };
}

/// The plugin could not do its work; the text goes to its log.
pub fn fail(reason: []const u8) Answer {
    return .{ .refused = true, .value = .{ .failure = .{ .kind = .failed, .text = .of(reason) } } };
}

/// Writes to the plugin's log, as information.
pub fn log(comptime format: []const u8, arguments: anytype) !void {
    const line = try std.fmt.allocPrint(memory, format, arguments);
    write(1, line.ptr, line.len);
}

extern "claimsmith:plugin/log@1.0.0" fn write(level: u32, at: [*]const u8, size: usize) void;

/// The contract's function, from one that may fail.
pub fn plugin(comptime answer: fn (*const Request) anyerror!Answer) void {
    const exported = struct {
        fn call(request: *const Request) callconv(.c) *const Answer {
            const kept = memory.create(Answer) catch @trap();
            kept.* = answer(request) catch |err| fail(@errorName(err));
            return kept;
        }

        /// Memory for the host to write to: it asks for whole texts and lists, which may be empty.
        fn realloc(_: usize, _: usize, _: usize, size: usize) callconv(.c) [*]u8 {
            const room = memory.alignedAlloc(u8, .@"8", @max(size, 1)) catch @trap();
            return room.ptr;
        }
    };
    @export(&exported.call, .{ .name = "get-custom-jwt-claims" });
    @export(&exported.realloc, .{ .name = "cabi_realloc" });
}
