//! Finds jumps, divisions and gathers in machine code with objdump, and with the program's line tables the source line
//! of grille that each of them comes from.

use crate::outcome::Failure;
use crate::tree;
use addr2line::Loader;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

/// Replaces the file name if an instruction comes from no source line of grille. The function's name then replaces the
/// line.
pub(crate) const NO_LINE: &str = "function";

/// A file and the text of one of its lines, or [`NO_LINE`] and the name of a function.
pub(crate) type Place = (String, String);

/// A file and the number of one of its lines, or [`NO_LINE`] and 0.
type Line = (String, usize);

/// The instruction sets whose conditional jumps are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Isa {
    AArch64,
    RiscV,
    S390x,
    X86,
}

impl Isa {
    /// Returns whether this is the name of a conditional jump, of a division that is not for x86, or of a vector
    /// instruction with several addresses (gather or scatter). Their time or addresses may depend on data.
    pub(crate) fn depends_on_data(self, name: &str) -> bool {
        match self {
            Self::AArch64 => {
                name.starts_with("b.") || ["cbz", "cbnz", "tbz", "tbnz", "sdiv", "udiv"].contains(&name)
            }
            Self::RiscV => name.starts_with('b') || name.starts_with("div") || name.starts_with("rem"),
            Self::S390x => depends_on_data_s390x(name),
            Self::X86 => {
                name.starts_with('j') && !name.starts_with("jmp")
                    || name.contains("gather")
                    || name.contains("scatter")
            }
        }
    }
}

/// Returns whether a name belongs to a data-dependent instruction of s390x. `brct` and its variants do not, because
/// they only count the rounds of loops.
fn depends_on_data_s390x(name: &str) -> bool {
    const ALWAYS: [&str; 6] = ["j", "jg", "jnop", "jgnop", "jct", "jctg"];
    const COMPARE: [&str; 8] = ["crj", "cgrj", "clrj", "clgrj", "cij", "cgij", "clij", "clgij"];
    const DIVIDE: [&str; 11] = ["d", "dr", "dl", "dlr", "dlg", "dlgr", "dsg", "dsgr", "dsgf", "dsgfr", "dp"];
    let returns =
        |name: &str| name.starts_with('b') && name.ends_with('r') && !["br", "basr"].contains(&name);
    name.starts_with('j') && !ALWAYS.contains(&name)
        || COMPARE.iter().any(|compare| name.starts_with(compare))
        || DIVIDE.contains(&name)
        || returns(name)
}

/// Disassembles a linked program with `objdump` and returns, for each of `classes`, the places where its functions
/// depend on data. A class is a predicate on the demangled name of a function.
///
/// # Errors
/// Returns [`Failure`] if objdump fails, or if the program has no readable line tables or names a line that a file does
/// not have.
pub(crate) fn places(
    objdump: &str,
    program: &Path,
    isa: Isa,
    classes: &[&dyn Fn(&str) -> bool],
) -> Result<Vec<BTreeSet<Place>>, Failure> {
    let lines = Lines::read(program)?;
    let mut child = Command::new(objdump)
        .args(["-d", "-C", "--no-show-raw-insn"])
        .arg(program)
        .stdout(Stdio::piped())
        .spawn()?;
    let output = child.stdout.take().ok_or_else(|| Failure(vec!["objdump has no output".into()]))?;
    let mut reader = Reader::new(isa, |address| lines.own_line(address), classes);
    let mut output = BufReader::new(output);
    let mut line = Vec::new();
    while output.read_until(b'\n', &mut line)? > 0 {
        reader.read(String::from_utf8_lossy(&line).trim_end())?;
        line.clear();
    }
    if !child.wait()?.success() {
        return Err(Failure(vec![format!("{objdump} failed")]));
    }
    let mut files = Files::default();
    reader.found.into_iter().map(|lines| files.places(lines)).collect()
}

/// The line tables of a program.
struct Lines {
    loader: Loader,
    root: String,
}

impl Lines {
    fn read(program: &Path) -> Result<Self, Failure> {
        let loader = Loader::new(program).map_err(|error| unreadable(&error))?;
        Ok(Self { loader, root: tree::root().display().to_string() })
    }

    /// Returns the innermost line below the root that the instruction at an address comes from, through inlining.
    fn own_line(&self, address: u64) -> Result<Option<Line>, Failure> {
        let mut frames = self.loader.find_frames(address).map_err(|error| unreadable(&error))?;
        while let Some(frame) = frames.next().map_err(|error| unreadable(&error))? {
            let line = frame.location.and_then(|location| {
                let file = location.file?.strip_prefix(&self.root)?.strip_prefix('/')?;
                Some((file.to_owned(), location.line? as usize))
            });
            if line.is_some() {
                return Ok(line);
            }
        }
        Ok(None)
    }
}

fn unreadable(error: &dyn Display) -> Failure {
    Failure(vec![format!("the program's line tables are not readable: {error}")])
}

/// Reads objdump's output line by line.
struct Reader<'a, L> {
    isa: Isa,
    /// Returns the source line of the instruction at an address, if it has one.
    own_line: L,
    classes: &'a [&'a dyn Fn(&str) -> bool],
    function: String,
    /// For each class, whether it contains the current function.
    is_selected: Vec<bool>,
    /// For each class, the lines found, and the functions of instructions without a line.
    found: Vec<BTreeSet<(Line, Option<String>)>>,
}

impl<'a, L: Fn(u64) -> Result<Option<Line>, Failure>> Reader<'a, L> {
    fn new(isa: Isa, own_line: L, classes: &'a [&'a dyn Fn(&str) -> bool]) -> Self {
        let found = vec![BTreeSet::new(); classes.len()];
        let is_selected = vec![false; classes.len()];
        Self { isa, own_line, classes, function: String::new(), is_selected, found }
    }

    fn read(&mut self, line: &str) -> Result<(), Failure> {
        if let Some((address, instruction)) = line.split_once(":\t") {
            let name = instruction.split_whitespace().next().unwrap_or_default();
            if self.isa.depends_on_data(name) && self.is_selected.contains(&true) {
                self.record(address.trim())?;
            }
        } else if let Some(name) = function(line) {
            self.function = without_hash(name).to_owned();
            self.is_selected = self.classes.iter().map(|has| has(&self.function)).collect();
        }
        Ok(())
    }

    /// Records the place of the instruction at a hexadecimal address for each class of the current function.
    fn record(&mut self, address: &str) -> Result<(), Failure> {
        let address = u64::from_str_radix(address, 16)
            .map_err(|error| Failure(vec![format!("objdump printed the address {address}: {error}")]))?;
        let place = match (self.own_line)(address)? {
            Some(line) => (line, None),
            None => ((NO_LINE.into(), 0), Some(self.function.clone())),
        };
        for (found, _) in
            self.found.iter_mut().zip(&self.is_selected).filter(|(_, is_selected)| **is_selected)
        {
            found.insert(place.clone());
        }
        Ok(())
    }
}

/// Returns the name in `0123 <name>:`, except for labels inside functions, which RISC-V's objects have.
fn function(line: &str) -> Option<&str> {
    let (address, rest) = line.split_once(" <")?;
    let name = rest.strip_suffix(">:")?;
    let is_address = !address.is_empty() && address.bytes().all(|byte| byte.is_ascii_hexdigit());
    (is_address && !name.starts_with(".L")).then_some(name)
}

/// Removes the hash from `name::h0123456789abcdef`; it changes with every build.
fn without_hash(name: &str) -> &str {
    let hash = |end: &str| end.len() == 16 && end.bytes().all(|byte| byte.is_ascii_hexdigit());
    name.rsplit_once("::h").filter(|(_, end)| hash(end)).map_or(name, |(name, _)| name)
}

/// Lines of files; each file is read once.
#[derive(Default)]
struct Files(BTreeMap<String, Vec<String>>);

impl Files {
    fn places(&mut self, lines: BTreeSet<(Line, Option<String>)>) -> Result<BTreeSet<Place>, Failure> {
        let mut places = BTreeSet::new();
        for ((file, number), function) in lines {
            let text = match function {
                Some(function) => function,
                None => self.source_line(&file, number)?,
            };
            places.insert((file, text));
        }
        Ok(places)
    }

    fn source_line(&mut self, file: &str, number: usize) -> Result<String, Failure> {
        if !self.0.contains_key(file) {
            let lines = tree::read(file)?.lines().map(|line| line.trim().to_owned()).collect();
            self.0.insert(file.to_owned(), lines);
        }
        let line = self.0[file].get(number.saturating_sub(1)).cloned();
        line.ok_or_else(|| Failure(vec![format!("{file} has no line {number}: built from another tree")]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use object::{Object, ObjectSymbol};

    const OUTPUT: &str = "00010 <grille_a::a::h0123456789abcdef>:\n 10:\tcmp    %eax,%ebx\n 12:\tjne    10 <a>\n\
                          14:\tjmp    20 <a>\n 16:\tvpgatherdd (%rax,%zmm1,4),%zmm2{%k1}\n\
                         00020 <.Lpcrel_hi7>:\n 18:\tje 3\n 20:\tja     10 <a>\n\
                         00030 <core::b>:\n 30:\tje 3\n";

    fn own_line(address: u64) -> Result<Option<Line>, Failure> {
        Ok([0x12, 0x16, 0x18].contains(&address).then(|| ("a/b.rs".into(), address as usize / 3)))
    }

    fn read(classes: &[&dyn Fn(&str) -> bool]) -> Vec<Vec<(Line, Option<String>)>> {
        let mut reader = Reader::new(Isa::X86, own_line, classes);
        OUTPUT.lines().for_each(|line| reader.read(line).unwrap());
        reader.found.into_iter().map(|found| found.into_iter().collect()).collect()
    }

    #[test]
    fn attributes_a_jump_to_its_line_or_function() {
        let found = read(&[&|name| name.starts_with("grille_"), &|name| name == "core::b"]);
        let line = |number| ((String::from("a/b.rs"), number), None);
        let function = |name: &str| ((NO_LINE.to_owned(), 0), Some(name.to_owned()));
        assert_eq!(found[0], [line(6), line(7), line(8), function("grille_a::a")]);
        assert_eq!(found[1], [function("core::b")]);
    }

    /// A function whose symbol is always in the program.
    #[inline(never)]
    fn function_with_a_symbol() -> std::path::PathBuf {
        std::hint::black_box(std::env::current_exe().unwrap())
    }

    #[test]
    fn finds_the_line_of_a_function_of_this_program() {
        let program = function_with_a_symbol();
        let bytes = std::fs::read(&program).unwrap();
        let object = object::File::parse(&*bytes).unwrap();
        let is_this = |name: &str| name.contains("function_with_a_symbol");
        let this = object.symbols().find(|symbol| symbol.name().is_ok_and(is_this)).unwrap();
        let line = Lines::read(&program).unwrap().own_line(this.address()).unwrap();
        assert_eq!(line.unwrap().0, "xtask/src/disassembly.rs");
    }

    #[test]
    fn recognises_conditional_jumps_and_divisions() {
        for (isa, dependent, others) in [
            (Isa::AArch64, "b.ne cbz tbnz udiv", "b bl br csel ret blr bfi"),
            (Isa::RiscV, "beqz bltu bne divu remw", "j jal ret call add"),
            (Isa::S390x, "je jgne cgrjl clgije jnle ber dsgr", "j jg br brasl basr brct brctg jct agr locr"),
            (Isa::X86, "jne jae vpgatherdd", "jmp jmpq call cmovne"),
        ] {
            assert!(dependent.split(' ').all(|name| isa.depends_on_data(name)), "{isa:?}");
            let wrong: Vec<_> = others.split(' ').filter(|name| isa.depends_on_data(name)).collect();
            assert!(wrong.is_empty(), "{isa:?}: {wrong:?}");
        }
    }

    #[test]
    fn returns_the_text_of_a_line() {
        let mut files = Files::default();
        assert!(files.source_line("xtask/src/disassembly.rs", 1).unwrap().starts_with("//! Finds jumps"));
        assert!(files.source_line("xtask/src/disassembly.rs", 100_000).is_err());
    }
}
