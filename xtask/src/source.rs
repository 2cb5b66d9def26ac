//! Splits Rust source into code, comments and literals with the lexer of `proc-macro2`, and finds functions among the
//! tokens.

use crate::outcome::Failure;
use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use std::ops::Range;

/// A Rust file, split into its parts. Every part has its line number, counted from 1.
#[derive(Debug, Default)]
pub(crate) struct Source {
    /// The file with comments and literals blanked; has the same number of lines as the file.
    pub(crate) code: String,
    /// Lines of comments without their marks.
    pub(crate) comments: Vec<(usize, String)>,
    /// Contents of string literals, as written.
    pub(crate) strings: Vec<(usize, String)>,
    /// Functions with a body, including nested ones and those that macros define.
    pub(crate) functions: Vec<Function>,
    /// The first and last line of each `#[cfg(test)]` module.
    pub(crate) test_modules: Vec<(usize, usize)>,
    /// The first and last line of each `static` or `const` with more than ten lines.
    pub(crate) tables: Vec<(usize, usize)>,
}

/// A function with a body.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Function {
    pub(crate) name: String,
    /// The line of the word `fn`.
    pub(crate) line: usize,
    /// Number of lines from that line to the closing brace, inclusive.
    pub(crate) lines: usize,
}

impl Source {
    /// Splits a file.
    ///
    /// # Errors
    /// Returns an error if the text is not Rust; `file` is its name for the message.
    pub(crate) fn read(file: &str, text: &str) -> Result<Self, Failure> {
        let tokens: TokenStream = text.parse().map_err(|error: proc_macro2::LexError| {
            Failure(vec![format!("{file}:{}: cannot read this as Rust", error.span().start().line)])
        })?;
        let mut reader = Reader { text, code: Vec::new(), source: Self::default() };
        reader.read(tokens);
        let Reader { code, mut source, .. } = reader;
        source.add_comments(text, &code);
        source.code = blank_except(text, &code);
        Ok(source)
    }

    /// Adds the comments: the lines between the tokens, except blank ones.
    fn add_comments(&mut self, text: &str, tokens: &[Range<usize>]) {
        let mut start = 0;
        let mut line = 1;
        for token in tokens.iter().cloned().chain(std::iter::once(text.len()..text.len())) {
            for (offset, comment) in text[start..token.start].split('\n').enumerate() {
                let comment = comment.trim();
                if !comment.is_empty() {
                    let words = comment.trim_start_matches(['/', '*', '!']).trim_end_matches("*/").trim();
                    self.comments.push((line + offset, words.to_owned()));
                }
            }
            line += text[start..token.end].matches('\n').count();
            start = token.end;
        }
    }
}

/// Returns the text with everything outside of `code` replaced by spaces. String and character literals are also
/// replaced.
fn blank_except(text: &str, code: &[Range<usize>]) -> String {
    let mut blanked: String = String::with_capacity(text.len());
    let mut blank = |part: &str, keep: bool| {
        blanked.extend(part.chars().map(|c| if keep || c == '\n' { c } else { ' ' }));
    };
    let mut start = 0;
    for token in code {
        let is_literal = text[token.clone()].ends_with(['"', '#', '\'']) && token.len() > 1;
        blank(&text[start..token.start], false);
        blank(&text[token.clone()], !is_literal);
        start = token.end;
    }
    blank(&text[start..], false);
    blanked
}

/// Returns whether `line` lies in one of the spans.
pub(crate) fn is_within(spans: &[(usize, usize)], line: usize) -> bool {
    spans.iter().any(|&(first, last)| (first..=last).contains(&line))
}

/// Returns the positions at which `code` contains `word` as a separate word.
pub(crate) fn words<'a>(code: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(word)
        .map(|(at, _)| at)
        .filter(move |&at| !code[..at].ends_with(part) && !code[at + word.len()..].starts_with(part))
}

struct Reader<'a> {
    text: &'a str,
    /// The position of each token, except for comments.
    code: Vec<Range<usize>>,
    source: Source,
}

impl Reader<'_> {
    fn read(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for at in 0..tokens.len() {
            let before = at.checked_sub(1).map(|before| &tokens[before]);
            self.source.functions.extend(function(&tokens[at..]));
            self.source.test_modules.extend(test_module(&tokens[at..]));
            self.source.tables.extend(table(&tokens[at..], before));
        }
        for token in tokens {
            match token {
                TokenTree::Group(group) => self.read_group(&group),
                other => self.add(other.span()),
            }
        }
    }

    /// Reads a group in brackets. A doc comment is a group whose position is that of the comment; it is skipped.
    fn read_group(&mut self, group: &Group) {
        if !self.is_comment(group.span()) {
            self.add(group.span_open());
            self.read(group.stream());
            self.add(group.span_close());
        }
    }

    fn add(&mut self, span: Span) {
        if self.is_comment(span) {
            return; // the mark before the group of a doc comment
        }
        let range = span.byte_range();
        if let Some(content) = string_content(&self.text[range.clone()]) {
            self.source.strings.push((span.start().line, content.to_owned()));
        }
        self.code.push(range);
    }

    fn is_comment(&self, span: Span) -> bool {
        let token = &self.text[span.byte_range()];
        token.starts_with("//") || token.starts_with("/*")
    }
}

/// Returns the content of a string literal of any kind: `"…"`, `b"…"`, `c"…"`, `r#"…"#`.
fn string_content(literal: &str) -> Option<&str> {
    let (prefix, rest) = literal.split_once('"')?;
    let is_string = prefix.bytes().all(|byte| b"bcr#".contains(&byte));
    is_string.then(|| rest.trim_end_matches('#').trim_end_matches('"'))
}

fn is_word(token: Option<&TokenTree>, word: &str) -> bool {
    matches!(token, Some(TokenTree::Ident(ident)) if ident == word)
}

fn is_mark(token: Option<&TokenTree>, marks: &str) -> bool {
    matches!(token, Some(TokenTree::Punct(mark)) if marks.contains(mark.as_char()))
}

fn is_brace(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
}

fn line(token: &TokenTree) -> usize {
    token.span().start().line
}

/// Returns the function that starts with the first token, if it has a body.
fn function(tokens: &[TokenTree]) -> Option<Function> {
    let name = match tokens {
        [first, TokenTree::Ident(name), ..] if is_word(Some(first), "fn") => name.to_string(),
        [first, dollar, TokenTree::Ident(name), ..]
            if is_word(Some(first), "fn") && is_mark(Some(dollar), "$") =>
        {
            format!("${name}")
        }
        _ => return None, // another token, or the type of a function pointer
    };
    let first = line(&tokens[0]);
    Some(Function { name, line: first, lines: last_line_of_body(tokens)? - first + 1 })
}

/// Returns the lines of the module with the attribute `#[cfg(test)]` that starts with the first token.
fn test_module(tokens: &[TokenTree]) -> Option<(usize, usize)> {
    let [hash, TokenTree::Group(attribute), item @ ..] = tokens else { return None };
    if !is_mark(Some(hash), "#") || attribute.stream().to_string().replace(' ', "") != "cfg(test)" {
        return None;
    }
    let is_keyword =
        |token: &&TokenTree| matches!(token, TokenTree::Ident(_)) && !is_word(Some(token), "pub");
    let is_module = is_word(item.iter().find(is_keyword), "mod");
    is_module.then(|| last_line_of_body(item)).flatten().map(|last| (line(hash), last))
}

/// Returns the lines of the long `static` or `const` that starts with the first token; `before` is the token before it.
fn table(tokens: &[TokenTree], before: Option<&TokenTree>) -> Option<(usize, usize)> {
    let is_item = ["static", "const"].iter().any(|word| is_word(tokens.first(), word));
    if !is_item || is_mark(before, "*'") {
        return None; // another token, a pointer or a lifetime
    }
    let head = tokens.iter().position(|token| is_mark(Some(token), "=;") || is_brace(token))?;
    let value = Some(&tokens[head..]).filter(|value| is_mark(value.first(), "="))?;
    let (first, last) = (line(&tokens[0]), line(value.iter().find(|token| is_mark(Some(token), ";"))?));
    (last - first >= 10).then_some((first, last))
}

/// Returns the last line of an item's body; `None` if a semicolon comes first. Braces in generic arguments (`<{ N }>`)
/// do not count.
fn last_line_of_body(item: &[TokenTree]) -> Option<usize> {
    for (at, token) in item.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| &item[before]);
        let is_argument = is_mark(before, "<,") && before.map(line) == Some(line(token));
        match token {
            TokenTree::Group(group) if is_brace(token) && !is_argument => {
                return Some(group.span_close().end().line);
            }
            _ if is_mark(Some(token), ";") => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Source {
        Source::read("a.rs", text).unwrap()
    }

    fn sizes(text: &str) -> Vec<(String, usize, usize)> {
        read(text)
            .functions
            .into_iter()
            .map(|function| (function.name, function.line, function.lines))
            .collect()
    }

    #[test]
    fn removes_comments_strings_and_characters_from_code() {
        let source = read(
            "let a = \"fn {\"; // fn x() {\nlet b = '{'; let c: &'a u8 = r#\"}\"}\"#;\n/* { /* */ } */ d",
        );
        assert!(!source.code.contains(['{', '}']), "{}", source.code);
        assert!(source.code.contains("&'a u8"));
        assert_eq!(source.comments[0], (1, "fn x() {".to_owned()));
        assert_eq!(source.strings, [(1, "fn {".to_owned()), (2, "}\"}".to_owned())]);
    }

    #[test]
    fn doc_comments_are_comments() {
        let source = read("/// One's\n///\n/// `two`.\nfn f() {} // 3\n//! inner \"four\"\n");
        let comments = [(1, "One's"), (2, ""), (3, "`two`."), (4, "3"), (5, "inner \"four\"")];
        assert_eq!(source.comments, comments.map(|(line, text)| (line, text.to_owned())));
        assert_eq!(source.strings, []);
        assert_eq!(source.code.trim(), "fn f() {}");
    }

    #[test]
    fn rejects_text_that_is_not_rust() {
        let failure = Source::read("a.rs", "fn f() {\n}\n}").unwrap_err();
        assert_eq!(failure.0, ["a.rs:3: cannot read this as Rust"]);
    }

    #[test]
    fn finds_functions_that_macros_define() {
        let text = "macro_rules! m { ($name:ident) => { fn $name() {\n} } }\nm! { fn g() {} }";
        assert_eq!(sizes(text), [("$name".to_owned(), 1, 2), ("g".to_owned(), 3, 1)]);
    }

    #[test]
    fn continues_literals_after_escapes() {
        let source = read(r#"f("a\"{", '\'', '\\', '\u{7f}', b'"', b"{", g)"#);
        assert!(!source.code.contains(['{', '}', '"']), "{}", source.code);
        assert!(source.code.ends_with("g)"));
    }

    #[test]
    fn preserves_the_number_of_lines() {
        let text = "/* a\nb */ let s = \"c\nd\";\nfn e() {}\n";
        assert_eq!(read(text).code.matches('\n').count(), text.matches('\n').count());
        assert_eq!(sizes(text), [("e".to_owned(), 4, 1)]);
    }

    #[test]
    fn measures_functions_from_fn_to_the_closing_brace() {
        let text = "fn short() {}\n\npub fn long<const N: usize>(\n    a: [u8; N],\n) -> [u8; 2]\nwhere\n    A<{ N }>: B<C = D>,\n{\n    if a { b }\n}\n";
        assert_eq!(sizes(text), [("short".to_owned(), 1, 1), ("long".to_owned(), 3, 8)]);
    }

    #[test]
    fn ignores_declarations_and_function_pointers() {
        assert_eq!(
            sizes("trait T { fn a(&self) -> [u8; 3]; }\ntype F = fn(u8) -> u8;\nstruct S { f: fn() }"),
            []
        );
    }

    #[test]
    fn finds_test_modules_and_tables() {
        let table = format!("static T: &[u8] = &[\n{}];\n", "1,\n".repeat(12));
        let source = read(&format!("fn a() {{}}\n{table}#[cfg(test)]\nmod tests {{\n    fn b() {{}}\n}}\n"));
        assert_eq!(source.tables, [(2, 15)]);
        assert_eq!(source.test_modules, [(16, 19)]);
        assert!(is_within(&[(16, 19)], 18) && !is_within(&[(16, 19)], 20));
    }

    #[test]
    fn does_not_treat_a_const_fn_as_a_table() {
        assert_eq!(read(&format!("const fn a() -> u8 {{\n{}}}\n", "b();\n".repeat(12))).tables, []);
    }

    #[test]
    fn ends_tables_of_structs_at_their_semicolon() {
        let text =
            format!("const T: &[R] = &[\n{}];\nfn f() {{}}\n", "    R { a: 1, f: |x| x + 1 },\n".repeat(10));
        assert_eq!(read(&text).tables, [(1, 12)]);
    }
}
