//! Splits Rust source into code, comments and literals without a compiler, and finds functions in the code.

/// A Rust file, split into its parts. Every part has its line number, counted from 1.
#[derive(Debug, Default)]
pub(crate) struct Source {
    /// The file with comments and the contents of literals blanked; has the same number of lines as the file.
    pub(crate) code: String,
    /// Lines of comments without their marks.
    pub(crate) comments: Vec<(usize, String)>,
    /// Contents of string literals, as written.
    pub(crate) strings: Vec<(usize, String)>,
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
    /// Splits a file. Accepts every text, but the parts of a text that is not Rust are unspecified.
    pub(crate) fn read(text: &str) -> Self {
        let mut scanner = Scanner { rest: text, line: 1, previous: '\n', source: Self::default() };
        while !scanner.rest.is_empty() {
            scanner.step();
        }
        scanner.source
    }

    /// Lists every function with a body, including nested ones.
    pub(crate) fn functions(&self) -> Vec<Function> {
        words(&self.code, "fn").filter_map(|at| function_at(&self.code, at)).collect()
    }

    /// Returns the first and last line of each `#[cfg(test)]` module.
    pub(crate) fn test_modules(&self) -> Vec<(usize, usize)> {
        self.code.match_indices("#[cfg(test)]").filter_map(|(at, _)| test_module_at(&self.code, at)).collect()
    }

    /// Returns the first and last line of each `static` or `const` with more than ten lines.
    pub(crate) fn tables(&self) -> Vec<(usize, usize)> {
        let items = words(&self.code, "static").chain(words(&self.code, "const"));
        let spans = items.filter_map(|at| {
            let length = item_end(&self.code[at..], ';')?;
            Some((line_of(&self.code, at), line_of(&self.code, at + length)))
        });
        spans.filter(|(first, last)| last - first >= 10).collect()
    }
}

/// Returns whether `line` lies in one of the spans.
pub(crate) fn within(spans: &[(usize, usize)], line: usize) -> bool {
    spans.iter().any(|&(first, last)| (first..=last).contains(&line))
}

/// Returns the positions of `word` as a separate word.
pub(crate) fn words<'a>(code: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(word)
        .map(|(at, _)| at)
        .filter(move |&at| !code[..at].ends_with(part) && !code[at + word.len()..].starts_with(part))
}

fn line_of(code: &str, at: usize) -> usize {
    1 + code[..at].bytes().filter(|&byte| byte == b'\n').count()
}

fn function_at(code: &str, at: usize) -> Option<Function> {
    let signature = code[at + 2..].trim_start();
    let name_len = signature.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '$')?;
    if name_len == 0 {
        return None; // a function pointer's type
    }
    let open = item_end(&code[at..], '{')?;
    let close = closing_brace(&code[at + open..])?;
    let line = line_of(code, at);
    let lines = line_of(code, at + open + close) - line + 1;
    Some(Function { name: signature[..name_len].to_owned(), line, lines })
}

fn test_module_at(code: &str, at: usize) -> Option<(usize, usize)> {
    let item = code[at..].find("mod ").map(|offset| at + offset)?;
    let open = item_end(&code[item..], '{')?;
    let between = &code[at + "#[cfg(test)]".len()..item];
    if between.contains(['{', ';']) {
        return None; // the attribute of another item
    }
    let close = closing_brace(&code[item + open..])?;
    Some((line_of(code, at), line_of(code, item + open + close)))
}

/// Returns the end of an item's head if it is `end`: the `{` of its body, or the `;` instead of a body. Braces and semicolons within
/// brackets, in generic arguments (`<{ N }>`) and in the value of a `static` or `const` do not count.
fn item_end(item: &str, end: char) -> Option<usize> {
    let has_value = !item.starts_with("fn") && !item.starts_with("mod");
    let (mut depth, mut in_value, mut previous) = (0_usize, false, ' ');
    for (at, c) in item.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            '{' if depth > 0 || in_value || "<,".contains(previous) => depth += 1,
            ')' | ']' | '}' => depth = depth.checked_sub(1)?,
            '=' if depth == 0 => in_value = has_value,
            '{' | ';' if depth == 0 => return (c == end).then_some(at),
            _ => {}
        }
        if c != ' ' {
            previous = c; // includes line ends: after `where A: B,` the body's brace is on its own line
        }
    }
    None
}

fn closing_brace(block: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, byte) in block.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' if depth == 1 => return Some(at),
            b'}' => depth = depth.checked_sub(1)?,
            _ => {}
        }
    }
    None
}

struct Scanner<'a> {
    rest: &'a str,
    line: usize,
    /// The last character of code.
    previous: char,
    source: Source,
}

impl Scanner<'_> {
    fn step(&mut self) {
        if self.rest.starts_with("//") {
            self.comment(self.rest.find('\n').unwrap_or(self.rest.len()));
        } else if self.rest.starts_with("/*") {
            self.comment(block_comment_len(self.rest));
        } else if let Some((open, len)) = string_len(self.rest, self.previous) {
            self.string(open, len);
        } else if let Some(len) = character_len(self.rest) {
            self.blank(len);
        } else if let Some(c) = self.rest.chars().next() {
            self.source.code.push(c);
            self.line += usize::from(c == '\n');
            self.previous = c;
            self.rest = &self.rest[c.len_utf8()..];
        }
    }

    fn comment(&mut self, len: usize) {
        for (offset, text) in self.rest[..len].lines().enumerate() {
            let text = text.trim().trim_start_matches(['/', '*', '!']).trim_end_matches("*/").trim();
            self.source.comments.push((self.line + offset, text.to_owned()));
        }
        self.blank(len);
    }

    fn string(&mut self, open: usize, len: usize) {
        let content = self.rest[open..len].trim_end_matches('#').trim_end_matches('"').to_owned();
        self.source.strings.push((self.line, content));
        self.blank(len);
        self.previous = '"';
    }

    /// Skips `len` bytes; only their line ends are copied to the code.
    fn blank(&mut self, len: usize) {
        let (passed, rest) = self.rest.split_at(len);
        let lines = passed.matches('\n').count();
        self.source.code.push_str(if lines == 0 { " " } else { "" });
        self.source.code.extend(std::iter::repeat_n('\n', lines));
        self.line += lines;
        self.rest = rest;
    }
}

fn block_comment_len(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while at < text.len() {
        if text[at..].starts_with("/*") {
            depth += 1;
            at += 2;
        } else if text[at..].starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += text[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    text.len()
}

/// Returns the lengths of the opening and of the complete string literal of any kind: `"…"`, `b"…"`, `c"…"`, `r#"…"#`.
fn string_len(text: &str, previous: char) -> Option<(usize, usize)> {
    let in_word = previous.is_alphanumeric() || previous == '_';
    let prefix =
        text.find(|c| !matches!(c, 'b' | 'c' | 'r')).filter(|&len| len <= 2 && !(in_word && len > 0))?;
    let raw = text[..prefix].contains('r');
    let hashes = text[prefix..].bytes().take_while(|&byte| byte == b'#').count();
    if (hashes > 0 && !raw) || !text[prefix + hashes..].starts_with('"') {
        return None;
    }
    let open = prefix + hashes + 1;
    if raw {
        let close = format!("\"{}", "#".repeat(hashes));
        let len = text[open..].find(&close).map_or(text.len(), |at| open + at + close.len());
        return Some((open, len));
    }
    let mut escaped = false;
    for (at, c) in text[open..].char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return Some((open, open + at + 1)),
            _ => {}
        }
    }
    Some((open, text.len()))
}

/// Returns the length of a character literal; `None` for a lifetime.
fn character_len(text: &str) -> Option<usize> {
    let content = text.strip_prefix('\'')?;
    let first = content.chars().next()?;
    if first == '\\' {
        let after_escape = content.char_indices().nth(2)?.0;
        return content[after_escape..].find('\'').map(|at| 1 + after_escape + at + 1);
    }
    content[first.len_utf8()..].starts_with('\'').then_some(first.len_utf8() + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(text: &str) -> Vec<(String, usize, usize)> {
        let functions = Source::read(text).functions();
        functions.into_iter().map(|function| (function.name, function.line, function.lines)).collect()
    }

    #[test]
    fn removes_comments_strings_and_characters_from_code() {
        let source = Source::read(
            "let a = \"fn {\"; // fn x() {\nlet b = '{'; let c: &'a u8 = r#\"}\"}\"#;\n/* { /* */ } */ d",
        );
        assert!(!source.code.contains(['{', '}']), "{}", source.code);
        assert!(source.code.contains("&'a u8"));
        assert_eq!(source.comments[0], (1, "fn x() {".to_owned()));
        assert_eq!(source.strings, [(1, "fn {".to_owned()), (2, "}\"}".to_owned())]);
    }

    #[test]
    fn continues_literals_after_escapes() {
        let source = Source::read(r#"f("a\"{", '\'', '\\', '\u{7f}', b'"', b"{", g)"#);
        assert!(!source.code.contains(['{', '}', '"']), "{}", source.code);
        assert!(source.code.ends_with("g)"));
    }

    #[test]
    fn preserves_the_number_of_lines() {
        let text = "/* a\nb */ let s = \"c\nd\";\nfn e() {}\n";
        assert_eq!(Source::read(text).code.matches('\n').count(), text.matches('\n').count());
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
        let source =
            Source::read(&format!("fn a() {{}}\n{table}#[cfg(test)]\nmod tests {{\n    fn b() {{}}\n}}\n"));
        assert_eq!(source.tables(), [(2, 15)]);
        assert_eq!(source.test_modules(), [(16, 19)]);
        assert!(within(&[(16, 19)], 18) && !within(&[(16, 19)], 20));
    }

    #[test]
    fn does_not_treat_a_const_fn_as_a_table() {
        assert_eq!(Source::read(&format!("const fn a() -> u8 {{\n{}}}\n", "b();\n".repeat(12))).tables(), []);
    }

    #[test]
    fn ends_tables_of_structs_at_their_semicolon() {
        let text =
            format!("const T: &[R] = &[\n{}];\nfn f() {{}}\n", "    R { a: 1, f: |x| x + 1 },\n".repeat(10));
        assert_eq!(Source::read(&text).tables(), [(1, 12)]);
    }
}
