//! Refuses TypeScript enums whose members are strings computed from other members: the type stripper evaluates them in
//! the server, outside of the guest's limits, where doubling a string thirty times would take all memory.

use oxc_ast::ast::{BinaryExpression, Expression, Program, StringLiteral, TSEnumMember, TemplateLiteral};
use oxc_ast_visit::{Visit, walk};
use oxc_span::{GetSpan, Span};
use oxc_syntax::operator::BinaryOperator;

/// Bytes of one string in an enum; each member that names another repeats its string.
const MAX_TEXT_BYTES: u32 = 256;

/// The first such member's initializer, and what is wrong with it.
pub(super) fn find_computed(program: &Program<'_>) -> Option<(Span, &'static str)> {
    let mut search = Search::default();
    search.visit_program(program);
    search.found
}

#[derive(Default)]
struct Search {
    in_member: bool,
    in_sum: bool,
    found: Option<(Span, &'static str)>,
}

impl Search {
    fn refuse(&mut self, span: Span, why: &'static str) {
        self.found = self.found.or(Some((span, why)));
    }
}

impl<'a> Visit<'a> for Search {
    fn visit_ts_enum_member(&mut self, member: &TSEnumMember<'a>) {
        let outside = std::mem::replace(self, Self { in_member: true, in_sum: false, found: self.found });
        walk::walk_ts_enum_member(self, member);
        *self = Self { found: self.found, ..outside };
    }

    fn visit_binary_expression(&mut self, sum: &BinaryExpression<'a>) {
        let outside = self.in_sum;
        self.in_sum |= sum.operator == BinaryOperator::Addition;
        walk::walk_binary_expression(self, sum);
        self.in_sum = outside;
    }

    fn visit_expression(&mut self, expression: &Expression<'a>) {
        if self.in_member && self.in_sum && matches!(expression, Expression::Identifier(_)) {
            self.refuse(
                expression.span(),
                "an enum member cannot be computed from another by `+`: write its value out",
            );
        }
        walk::walk_expression(self, expression);
    }

    fn visit_template_literal(&mut self, template: &TemplateLiteral<'a>) {
        if self.in_member && !template.expressions.is_empty() {
            self.refuse(template.span, "an enum member cannot be a template literal: write its value out");
        }
        walk::walk_template_literal(self, template);
    }

    fn visit_string_literal(&mut self, text: &StringLiteral<'a>) {
        if self.in_member && text.span.size() > MAX_TEXT_BYTES {
            self.refuse(text.span, "a string in an enum has at most 254 bytes");
        }
    }
}
