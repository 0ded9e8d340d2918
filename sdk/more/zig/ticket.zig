//! What this function answers becomes claims of the token.

const std = @import("std");
const claimsmith = @import("claimsmith.zig");

comptime {
    claimsmith.plugin(answer);
}

fn answer(request: *const claimsmith.Request) !claimsmith.Answer {
    // What a backend said about an impersonation; of other tokens there is nothing to say.
    const grant = request.context.grant.get() orelse return claimsmith.nothing;
    const said = grant.subject_token_context.get() orelse return claimsmith.nothing;

    const Said = struct { ticketId: ?std.json.Value = null };
    const parsed = try std.json.parseFromSliceLeaky(Said, claimsmith.memory, said.slice(), .{ .ignore_unknown_fields = true });
    const ticket = parsed.ticketId orelse return claimsmith.deny("Name the ticket.");

    try claimsmith.log("acting for ticket {f}", .{std.json.fmt(ticket, .{})});
    const name = try std.mem.concat(claimsmith.memory, u8, &.{ request.variable("PREFIX"), "ticket_id" });
    var object: std.json.ObjectMap = .empty;
    try object.put(claimsmith.memory, name, ticket);
    return claimsmith.claims(std.json.Value{ .object = object });
}
