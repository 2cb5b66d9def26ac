//! Sizes and functions of 32-bit little-endian ELF programs for microcontrollers.

use std::collections::BTreeMap;

const SYMTAB: u32 = 2;
const NOBITS: u32 = 8;
/// Flags of a section: writable, occupies memory.
const WRITE: u32 = 1;
const ALLOC: u32 = 2;
/// The symbol type of functions.
const FUNC: u8 = 2;

/// A program with its section table.
pub(crate) struct Elf<'a> {
    file: &'a [u8],
    sections: Vec<Section>,
}

struct Section {
    kind: u32,
    flags: u32,
    address: u32,
    offset: u32,
    size: u32,
    /// The section that this one refers to; for a symbol table, the section with the names.
    link: u32,
}

/// A function with a symbol.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Function<'a> {
    pub(crate) name: &'a str,
    pub(crate) address: u32,
    pub(crate) size: u32,
}

struct Symbol<'a> {
    name: &'a str,
    value: u32,
    size: u32,
    kind: u8,
}

impl<'a> Elf<'a> {
    /// Parses a file; returns `None` if it is no such ELF program or is truncated.
    pub(crate) fn read(file: &'a [u8]) -> Option<Self> {
        if !file.starts_with(b"\x7fELF\x01\x01") {
            return None;
        }
        let (first, count) = (word(file, 32)?, half(file, 48)?);
        let size = usize::from(half(file, 46)?);
        let header = |index: u16| file.get(first as usize..)?.get(size * usize::from(index)..)?.get(..size);
        let sections: Option<_> = (0..count).map(|index| Section::read(header(index)?)).collect();
        Some(Self { file, sections: sections? })
    }

    /// Returns the bytes of code and constants: the read-only sections that occupy memory.
    pub(crate) fn constant(&self) -> u64 {
        self.in_memory(false)
    }

    /// Returns the bytes of variables, initialised (`.data`) or not (`.bss`).
    pub(crate) fn variable(&self) -> u64 {
        self.in_memory(true)
    }

    fn in_memory(&self, writable: bool) -> u64 {
        let wanted = if writable { ALLOC | WRITE } else { ALLOC };
        let sections = self.sections.iter().filter(|section| section.flags & (ALLOC | WRITE) == wanted);
        sections.map(|section| u64::from(section.size)).sum()
    }

    /// Lists every function with a symbol and a length. The lowest bit of addresses, which marks Thumb code, is cleared.
    pub(crate) fn functions(&self) -> Option<Vec<Function<'a>>> {
        let symbols = self.symbols()?.into_iter();
        let functions = symbols.filter(|symbol| symbol.kind == FUNC && symbol.size > 0);
        let function =
            |Symbol { name, value, size, .. }: Symbol<'a>| Function { name, address: value & !1, size };
        Some(functions.map(function).collect())
    }

    /// Returns the addresses at which instructions (`$t`) or data between them (`$d`) start.
    pub(crate) fn marks(&self) -> Option<BTreeMap<u32, bool>> {
        let symbols = self.symbols()?.into_iter();
        let marks = symbols.filter(|symbol| symbol.name.starts_with("$t") || symbol.name.starts_with("$d"));
        Some(marks.map(|symbol| (symbol.value & !1, symbol.name.starts_with("$t"))).collect())
    }

    /// Returns the initial bytes at an address.
    pub(crate) fn bytes(&self, address: u32, len: u32) -> Option<&'a [u8]> {
        let holds = |section: &&Section| {
            let from = address.checked_sub(section.address);
            section.flags & ALLOC != 0
                && from.and_then(|from| from.checked_add(len)).is_some_and(|end| end <= section.size)
        };
        let section = self.sections.iter().find(holds)?;
        self.contents(section)?.get((address - section.address) as usize..)?.get(..len as usize)
    }

    fn symbols(&self) -> Option<Vec<Symbol<'a>>> {
        let table = self.sections.iter().find(|section| section.kind == SYMTAB)?;
        let names = self.contents(self.sections.get(table.link as usize)?)?;
        self.contents(table)?.chunks_exact(16).map(|symbol| Symbol::read(symbol, names)).collect()
    }

    fn contents(&self, section: &Section) -> Option<&'a [u8]> {
        let len = if section.kind == NOBITS { 0 } else { section.size };
        self.file.get(section.offset as usize..)?.get(..len as usize)
    }
}

impl Section {
    fn read(header: &[u8]) -> Option<Self> {
        Some(Self {
            kind: word(header, 4)?,
            flags: word(header, 8)?,
            address: word(header, 12)?,
            offset: word(header, 16)?,
            size: word(header, 20)?,
            link: word(header, 24)?,
        })
    }
}

impl<'a> Symbol<'a> {
    fn read(entry: &[u8], names: &'a [u8]) -> Option<Self> {
        let name = names.get(word(entry, 0)? as usize..)?.split(|byte| *byte == 0).next()?;
        Some(Self {
            name: str::from_utf8(name).ok()?,
            value: word(entry, 4)?,
            size: word(entry, 8)?,
            kind: entry.get(12)? & 15,
        })
    }
}

fn half(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..)?.get(..2)?.try_into().ok()?))
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..)?.get(..4)?.try_into().ok()?))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A section of a test program: kind, flags, address, contents, length, link.
    type Given<'a> = (u32, u32, u32, &'a [u8], u32, u32);

    /// Makes a program with code at 0x1000 and symbols for functions (name, address, size) and marks (size 0).
    pub(crate) fn program(code: &[u8], symbols: &[(&str, u32, u32)]) -> Vec<u8> {
        let (mut names, mut table) = (vec![0], vec![0; 16]);
        for (name, address, size) in symbols {
            let kind = if name.starts_with('$') { 0 } else { FUNC };
            let at = u32::try_from(names.len()).unwrap();
            table.extend([at, *address, *size, kind.into()].iter().flat_map(|value| value.to_le_bytes()));
            names.extend(name.bytes().chain([0]));
        }
        let sections: [Given<'_>; 7] = [
            (0, 0, 0, &[], 0, 0),
            (1, ALLOC | 4, 0x1000, code, 0, 0),
            (1, ALLOC, 0x800, &[7; 5], 0, 0),
            (1, ALLOC | WRITE, 0x2000, &[1; 3], 0, 0),
            (NOBITS, ALLOC | WRITE, 0x3000, &[], 8, 0),
            (3, 0, 0, &names, 0, 0),
            (SYMTAB, 0, 0, &table, 0, 5),
        ];
        written(&sections)
    }

    fn written(sections: &[Given<'_>]) -> Vec<u8> {
        let mut file = vec![0; 52];
        let mut headers = Vec::new();
        for (kind, flags, address, contents, reserved, link) in sections {
            let [offset, len] = [file.len(), contents.len()].map(|number| u32::try_from(number).unwrap());
            let header = [0, *kind, *flags, *address, offset, len + reserved, *link, 0, 0, 0];
            headers.extend(header.iter().flat_map(|value: &u32| value.to_le_bytes()));
            file.extend_from_slice(contents);
        }
        file[..6].copy_from_slice(b"\x7fELF\x01\x01");
        let (first, count) = (u32::try_from(file.len()).unwrap(), u8::try_from(sections.len()).unwrap());
        file[32..36].copy_from_slice(&first.to_le_bytes());
        file[46..50].copy_from_slice(&[40, 0, count, 0]);
        file.extend(headers);
        file
    }

    #[test]
    fn counts_only_sections_that_occupy_memory() {
        let file = program(&[0; 10], &[]);
        let elf = Elf::read(&file).unwrap();
        assert_eq!((elf.constant(), elf.variable()), (10 + 5, 3 + 8));
    }

    #[test]
    fn lists_functions_with_even_addresses_without_marks() {
        let symbols = [("$t", 0x1000, 0), ("first", 0x1001, 4), ("$d.1", 0x1004, 0), ("nothing", 0x1005, 0)];
        let file = program(&[0; 10], &symbols);
        let elf = Elf::read(&file).unwrap();
        assert_eq!(elf.functions().unwrap(), [Function { name: "first", address: 0x1000, size: 4 }]);
        assert_eq!(elf.marks().unwrap(), BTreeMap::from([(0x1000, true), (0x1004, false)]));
    }

    #[test]
    fn reads_bytes_within_one_section() {
        let file = program(&[1, 2, 3, 4], &[]);
        let elf = Elf::read(&file).unwrap();
        assert_eq!(elf.bytes(0x1001, 2), Some(&[2, 3][..]));
        for (address, len) in [(0x1001, 4), (0xfff, 2), (0x1000, u32::MAX), (0x3000, 1)] {
            assert_eq!(elf.bytes(address, len), None, "{address:x}");
        }
    }

    #[test]
    fn rejects_truncated_and_other_files() {
        let file = program(&[0; 10], &[("first", 0x1001, 4)]);
        for len in 0..file.len() {
            assert!(Elf::read(&file[..len]).is_none(), "{len}");
        }
        let mut of_64_bits = file.clone();
        of_64_bits[4] = 2;
        assert!(Elf::read(&of_64_bits).is_none());
    }

    #[test]
    fn survives_every_altered_byte() {
        let file = program(&[0; 10], &[("first", 0x1001, 4)]);
        for at in 6..file.len() {
            for value in [0, 1, 0x7f, 0xff] {
                let mut file = file.clone();
                file[at] = value;
                let Some(elf) = Elf::read(&file) else { continue };
                _ = (elf.functions(), elf.marks(), elf.bytes(0x1000, 4), elf.constant());
            }
        }
    }
}
