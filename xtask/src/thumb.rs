//! Computes the stack use of functions from the instructions of a Cortex-M (Armv7-M, DDI 0403): the amounts that they subtract
//! from the stack pointer, and the functions that they call.

use crate::elf::Elf;
use std::collections::{BTreeMap, BTreeSet};

/// Register numbers of the stack pointer and the program counter.
const SP: u16 = 13;
const PC: u16 = 15;

/// The functions of a program by address.
pub(crate) struct Functions<'a>(BTreeMap<u32, Function<'a>>);

/// The effect of a function on the stack.
#[derive(Debug, Default, PartialEq, Eq)]
struct Function<'a> {
    name: &'a str,
    /// Sum of the bytes that its instructions take, over all paths.
    frame: u32,
    calls: BTreeSet<u32>,
    /// Targets of tail calls, after the frame was released.
    tail_calls: BTreeSet<u32>,
    /// The first instruction that cannot be analysed: its address and its description.
    unknown: Option<(u32, &'static str)>,
}

impl<'a> Functions<'a> {
    pub(crate) fn read(elf: &Elf<'a>) -> Option<Self> {
        let marks = elf.marks()?;
        let mut functions = BTreeMap::new();
        for function in elf.functions()? {
            let code = elf.bytes(function.address, function.size)?;
            functions.insert(function.address, read(function.name, function.address, code, &marks));
        }
        Some(Self(functions))
    }

    /// Returns the frame of the only function whose name contains `part`, and the deepest frames below it.
    ///
    /// # Errors
    /// The reason if the stack use cannot be computed.
    pub(crate) fn stack(&self, part: &str) -> Result<(u32, u32), String> {
        let named: Vec<_> = self.0.iter().filter(|(_, function)| function.name.contains(part)).collect();
        let [(address, function)] = named[..] else {
            return Err(format!("expected one function named `{part}`, found {}", named.len()));
        };
        let all = self.depth(*address, &mut Vec::new(), &mut BTreeMap::new())?;
        Ok((function.frame, all - function.frame))
    }

    /// Returns the frame of a function plus the deepest frames below it. `path` contains its callers. `known` caches the results of
    /// other functions, because the number of paths can be exponential.
    fn depth(
        &self,
        address: u32,
        path: &mut Vec<u32>,
        known: &mut BTreeMap<u32, u32>,
    ) -> Result<u32, String> {
        if let Some(depth) = known.get(&address) {
            return Ok(*depth);
        }
        let function = self
            .0
            .get(&address)
            .ok_or_else(|| format!("a call leads to {address:#x}, where there is no function"))?;
        let Function { name, frame, .. } = function;
        if let Some((at, what)) = function.unknown {
            return Err(format!("`{name}`: {what} at {at:#x}, so its stack use is unknown"));
        }
        if path.contains(&address) {
            return Err(format!("`{name}` calls itself, so its stack use is unknown"));
        }
        path.push(address);
        let mut deepest = *frame;
        for called in &function.calls {
            deepest = deepest.max(frame + self.depth(*called, path, known)?);
        }
        for next in &function.tail_calls {
            deepest = deepest.max(self.depth(*next, path, known)?);
        }
        path.pop();
        known.insert(address, deepest);
        Ok(deepest)
    }
}

fn read<'a>(name: &'a str, address: u32, code: &[u8], marks: &BTreeMap<u32, bool>) -> Function<'a> {
    let mut function = Function { name, ..Function::default() };
    let halves: Vec<u16> = code.chunks_exact(2).map(|half| u16::from_le_bytes([half[0], half[1]])).collect();
    let mut rest = &halves[..];
    while let [first, after @ ..] = rest {
        let at = address + 2 * (halves.len() - rest.len()) as u32;
        rest = after;
        if marks.range(..=at).next_back().is_some_and(|(_, is_code)| !is_code) {
            continue;
        }
        let mut second = 0;
        if let (0b11101.., [half, after @ ..]) = (first >> 11, rest) {
            (second, rest) = (*half, after);
        }
        let inside = address..address + code.len() as u32;
        match step(at, *first, second) {
            Step::Takes(bytes) => function.frame += bytes,
            Step::Calls(target) => _ = function.calls.insert(target),
            Step::Jumps(target) if !inside.contains(&target) => _ = function.tail_calls.insert(target),
            Step::Unknown(what) => function.unknown = function.unknown.or(Some((at, what))),
            Step::Jumps(_) | Step::Nothing => (),
        }
    }
    function
}

/// The effect of an instruction on the stack.
#[derive(Debug, PartialEq, Eq)]
enum Step {
    Takes(u32),
    Calls(u32),
    Jumps(u32),
    Unknown(&'static str),
    Nothing,
}

/// Decodes the instruction at an address; a 16-bit instruction has no second half.
fn step(at: u32, first: u16, second: u16) -> Step {
    taken(first, second)
        .or_else(|| unknown(first, second))
        .or_else(|| lead(at, first, second))
        .unwrap_or(Step::Nothing)
}

/// Decodes PUSH, VPUSH, STR and STRD with writeback, SUB (SP minus immediate).
fn taken(first: u16, second: u16) -> Option<Step> {
    let destination = (second >> 8) & 15;
    let words = match first {
        0xb400..=0xb5ff => (first & 0x1ff).count_ones(),
        0xb080..=0xb0ff => u32::from(first & 0x7f),
        0xe92d => second.count_ones(),
        0xe96d | 0xed2d | 0xed6d => u32::from(second & 0xff),
        0xf84d if second & 0xf00 == 0xd00 => return Some(Step::Takes(u32::from(second & 0xff))),
        0xf1ad | 0xf5ad if destination == SP => return Some(Step::Takes(expanded(immediate(first, second)))),
        0xf2ad | 0xf6ad if destination == SP => return Some(Step::Takes(immediate(first, second))),
        _ => return None,
    };
    Some(Step::Takes(4 * words))
}

/// Returns i:imm3:imm8.
fn immediate(first: u16, second: u16) -> u32 {
    u32::from(((first >> 10) & 1) << 11 | ((second >> 12) & 7) << 8 | second & 0xff)
}

/// Computes ThumbExpandImm.
fn expanded(immediate: u32) -> u32 {
    let byte = immediate & 0xff;
    match immediate >> 8 {
        0 => byte,
        1 => byte << 16 | byte,
        2 => byte << 24 | byte << 8,
        3 => byte * 0x0101_0101,
        _ => (0x80 | immediate & 0x7f).rotate_right(immediate >> 7),
    }
}

/// Recognises instructions that change the stack pointer in another way, except releases of a frame, and jumps through a register or
/// memory, except returns. The architecture allows no other instructions with the stack pointer as their result.
fn unknown(first: u16, second: u16) -> Option<Step> {
    const LR: u16 = 14;
    let register = (first >> 3) & 15;
    let destination = (first >> 4) & 8 | first & 7;
    let [target, result] = [second >> 12, (second >> 8) & 15];
    let what = match first {
        // ADD (SP plus immediate), POP, and LDR of PC from SP, which then moves up.
        0xf10d | 0xf20d | 0xf50d | 0xf60d | 0xe8bd => return None,
        0xf85d if second >> 8 == 0xfb => return None,
        0x4780..=0x47ff => "a call through a pointer",
        0x4700..=0x477f if register != LR => "a jump through a pointer",
        0x4400..=0x44ff | 0x4600..=0x46ff if destination == PC => "a jump through a pointer",
        0x4400..=0x44ff | 0x4600..=0x46ff if destination == SP => "a stack pointer out of a register",
        // Data processing with a shifted register, and with an immediate.
        0xea00..=0xebff | 0xf000..=0xf7ff if result == SP && target < 8 => {
            "a stack pointer out of a register"
        }
        // MSR of MSP, PSP and CONTROL.
        0xf380..=0xf38f if matches!(second, 0x8808 | 0x8809 | 0x8814) => "a stack pointer out of a register",
        // LDR, and LDM if PC is among its registers.
        0xf850..=0xf85f | 0xf8d0..=0xf8df if target == SP => "a stack pointer out of memory",
        0xf850..=0xf85f | 0xf8d0..=0xf8df if target == PC => "a jump through memory",
        _ if matches!(first & 0xffd0, 0xe890 | 0xe910) && target & 8 != 0 => "a jump through memory",
        _ if moves_down(first, second) => "a stack pointer moved by a load or a store",
        _ => return None,
    };
    Some(Step::Unknown(what))
}

/// Recognises loads and stores whose writeback decreases the stack pointer.
fn moves_down(first: u16, second: u16) -> bool {
    let one = first & 0xfe8f == 0xf80d && second & 0xb00 == 0x900;
    let two = first & 0xfeef == 0xe86d;
    let many = first == 0xe93d;
    let of_a_coprocessor = first & 0xeeaf == 0xec2d;
    one || two || many || of_a_coprocessor
}

/// Decodes the branches B and BL.
fn lead(at: u32, first: u16, second: u16) -> Option<Step> {
    let [first32, second32] = [first, second].map(u32::from);
    let [sign, j1, j2] = [first32 >> 10 & 1, second32 >> 13 & 1, second32 >> 11 & 1];
    let wide = || {
        let [i1, i2] = [j1, j2].map(|j| 1 ^ j ^ sign);
        let high = sign << 24 | i1 << 23 | i2 << 22 | (first32 & 0x3ff) << 12;
        past(at, high | (second32 & 0x7ff) << 1, 25)
    };
    let conditional = || {
        let high = sign << 20 | j2 << 19 | j1 << 18 | (first32 & 0x3f) << 12;
        past(at, high | (second32 & 0x7ff) << 1, 21)
    };
    Some(match (first >> 11, second & 0xd000) {
        (0b11110, 0xd000) => Step::Calls(wide()),
        (0b11110, 0x9000) => Step::Jumps(wide()),
        (0b11110, 0x8000) if first >> 6 & 15 < 14 => Step::Jumps(conditional()),
        (0b11100, _) => Step::Jumps(past(at, (first32 & 0x7ff) << 1, 12)),
        (0b11010 | 0b11011, _) if first >> 8 & 15 < 14 => Step::Jumps(past(at, (first32 & 0xff) << 1, 9)),
        _ => return None,
    })
}

/// Returns the target of a branch: the program counter, which is four past the instruction, plus an offset of `bits` bits.
fn past(at: u32, offset: u32, bits: u32) -> u32 {
    let unused = 32 - bits;
    at.wrapping_add(4).wrapping_add_signed((offset << unused).cast_signed() >> unused)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elf::tests::program;
    use Step::{Calls, Jumps, Nothing, Takes, Unknown};

    /// Checks decoding of instructions as llvm-mc encodes them for thumbv7em. llvm-mc only decodes those marked `-`, which the manual calls unpredictable.
    fn are(table: &[(&str, u16, u16, Step)]) {
        for (text, first, second, expected) in table {
            assert_eq!(step(0x1000, *first, *second), *expected, "{text}");
        }
    }

    #[test]
    fn counts_instructions_that_take_stack_only() {
        are(&[
            ("push {r4, r5, r7, lr}", 0xb5b0, 0, Takes(16)),
            ("push.w {r8, r9, r10}", 0xe92d, 0x0700, Takes(12)),
            ("str r8, [sp, #-4]!", 0xf84d, 0x8d04, Takes(4)),
            ("str r11, [sp, #-8]!", 0xf84d, 0xbd08, Takes(8)),
            ("strd r8, r9, [sp, #-8]!", 0xe96d, 0x8902, Takes(8)),
            ("vpush {d8, d9}", 0xed2d, 0x8b04, Takes(16)),
            ("sub sp, #40", 0xb08a, 0, Takes(40)),
            ("sub.w sp, sp, #9216", 0xf5ad, 0x5d10, Takes(9216)),
            ("subw sp, sp, #1300", 0xf2ad, 0x5d14, Takes(1300)),
            ("sub.w sp, sp, #0x100010", 0xf1ad, 0x1d10, Takes(0x10_0010)),
            ("sub.w r4, sp, #64", 0xf1ad, 0x0440, Nothing),
            ("add sp, #40", 0xb00a, 0, Nothing),
            ("add.w sp, sp, #9216", 0xf50d, 0x5d10, Nothing),
            ("pop {r4, pc}", 0xbd10, 0, Nothing),
            ("ldr r11, [sp], #4", 0xf85d, 0xbb04, Nothing),
            ("ldr pc, [sp], #4", 0xf85d, 0xfb04, Nothing),
            ("ldrd r8, r9, [sp], #8", 0xe8fd, 0x8902, Nothing),
            ("mov r4, sp", 0x466c, 0, Nothing),
            ("mov.w r4, sp", 0xea4f, 0x040d, Nothing),
            ("addw sp, sp, #1300", 0xf20d, 0x5d14, Nothing),
            ("addw sp, sp, #2348", 0xf60d, 0x1d2c, Nothing),
            ("add.w sp, sp, #24", 0xf10d, 0x0d18, Nothing),
            ("msr basepri, r0", 0xf380, 0x8811, Nothing),
            ("str r0, [sp, #8]!", 0xf84d, 0x0f08, Nothing),
            ("strd r0, r1, [sp, #-8]", 0xe94d, 0x0102, Nothing),
            ("vpop {d8, d9}", 0xecbd, 0x8b04, Nothing),
            ("ldm.w r3, {r4, r5}", 0xe893, 0x0030, Nothing),
            ("pop.w {r4, pc}", 0xe8bd, 0x8010, Nothing),
            ("bx lr", 0x4770, 0, Nothing),
            ("str r0, [sp, #8]", 0x9002, 0, Nothing),
            ("svc #1", 0xdf01, 0, Nothing),
            ("tbb [pc, r0]", 0xe8df, 0xf000, Nothing),
        ]);
    }

    #[test]
    fn reports_unknown_effects_on_the_stack() {
        const POINTER: Step = Unknown("a stack pointer out of a register");
        const LOADED: Step = Unknown("a stack pointer out of memory");
        const MOVED: Step = Unknown("a stack pointer moved by a load or a store");
        const FAR: Step = Unknown("a jump through memory");
        are(&[
            ("mov sp, r4", 0x46a5, 0, POINTER),
            ("sub.w sp, sp, r1", 0xebad, 0x0d01, POINTER),
            ("add sp, r1", 0x448d, 0, POINTER),
            ("add.w sp, sp, r1, lsl #3", 0xeb0d, 0x0dc1, POINTER),
            ("mov.w sp, r4", 0xea4f, 0x0d04, POINTER),
            ("- add.w sp, r7, r1", 0xeb07, 0x0d01, POINTER),
            ("- sub.w sp, r7, #24", 0xf1a7, 0x0d18, POINTER),
            ("- subw sp, r7, #1300", 0xf2a7, 0x5d14, POINTER),
            ("- add.w sp, r7, #8", 0xf107, 0x0d08, POINTER),
            ("- addw sp, r7, #8", 0xf207, 0x0d08, POINTER),
            ("subs.w sp, sp, #24", 0xf1bd, 0x0d18, POINTER),
            ("msr msp, r0", 0xf380, 0x8808, POINTER),
            ("msr psp, r0", 0xf380, 0x8809, POINTER),
            ("msr control, r0", 0xf380, 0x8814, POINTER),
            ("ldr.w sp, [r0]", 0xf8d0, 0xd000, LOADED),
            ("ldr.w sp, [r0, r1]", 0xf850, 0xd001, LOADED),
            ("ldr sp, [r0], #4", 0xf850, 0xdb04, LOADED),
            ("ldr.w sp, [pc, #-8]", 0xf85f, 0xd008, LOADED),
            ("ldr r0, [sp, #-4]!", 0xf85d, 0x0d04, MOVED),
            ("str r0, [sp], #-4", 0xf84d, 0x0904, MOVED),
            ("ldrsh r0, [sp], #-4", 0xf93d, 0x0904, MOVED),
            ("strd r0, r1, [sp], #-8", 0xe86d, 0x0102, MOVED),
            ("ldrd r0, r1, [sp, #-8]!", 0xe97d, 0x0102, MOVED),
            ("ldmdb sp!, {r4, r5}", 0xe93d, 0x0030, MOVED),
            ("vldmdb sp!, {d8, d9}", 0xed3d, 0x8b04, MOVED),
            ("ldc2 p3, c4, [sp], #-8", 0xfc3d, 0x4302, MOVED),
            ("ldm.w r3, {r4, pc}", 0xe893, 0x8010, FAR),
            ("ldm.w r3!, {r4, pc}", 0xe8b3, 0x8010, FAR),
            ("ldmdb r3!, {r4, pc}", 0xe933, 0x8010, FAR),
            ("ldm.w sp, {r4, pc}", 0xe89d, 0x8010, FAR),
            ("ldr.w pc, [sp, r1]", 0xf85d, 0xf001, FAR),
            ("blx r3", 0x4798, 0, Unknown("a call through a pointer")),
            ("bx r3", 0x4718, 0, Unknown("a jump through a pointer")),
            ("mov pc, r3", 0x469f, 0, Unknown("a jump through a pointer")),
            ("ldr.w pc, [r1, r2, lsl #2]", 0xf851, 0xf022, FAR),
            ("ldr.w pc, [r1, #4]", 0xf8d1, 0xf004, FAR),
        ]);
    }

    #[test]
    fn decodes_targets_of_branches() {
        are(&[
            ("b .+16", 0xe006, 0, Jumps(0x1010)),
            ("bne .+14", 0xd105, 0, Jumps(0x100e)),
            ("bl .+12", 0xf000, 0xf804, Calls(0x100c)),
            ("b.w .-112", 0xf7ff, 0xbfc6, Jumps(0x0f90)),
            ("bl .-116", 0xf7ff, 0xffc4, Calls(0x0f8c)),
            ("bne .-120", 0xd1c2, 0, Jumps(0x0f88)),
            ("b .-122", 0xe7c1, 0, Jumps(0x0f86)),
            ("bne.w .-124", 0xf47f, 0xafc0, Jumps(0x0f84)),
        ]);
    }

    #[test]
    fn expands_constants_as_in_the_manual() {
        let expected = [(0x0ab, 0xab), (0x1ab, 0xab_00ab), (0x2ab, 0xab00_ab00), (0x3ab, 0xabab_abab)];
        for (immediate, value) in expected.into_iter().chain([(0x47f, 0xff00_0000), (0xf80, 0x100)]) {
            assert_eq!(expanded(immediate), value, "{immediate:x}");
        }
    }

    /// `main` pushes 16 bytes and calls `low`. `low` takes 40 bytes, releases them and jumps to `deep`. `deep` takes 1024 and 8 bytes
    /// and ends with data.
    const CODE: [u16; 13] = [
        0xb5b0, 0xf000, 0xf801, 0xbdb0, // main, from 0x1000 on
        0xb08a, 0xb00a, 0xe000, 0xbf00, // low, from 0x1008 on
        0xf5ad, 0x6d80, 0xb082, 0x4770, 0xb0ff, // deep, from 0x1010 on
    ];
    const NAMED: [(&str, u32, u32); 5] =
        [("main", 0x1001, 8), ("low", 0x1009, 8), ("deep", 0x1011, 10), ("$t", 0x1000, 0), ("$d", 0x1018, 0)];

    fn stack(code: &[u16], symbols: &[(&str, u32, u32)]) -> Result<(u32, u32), String> {
        let code: Vec<u8> = code.iter().flat_map(|half| half.to_le_bytes()).collect();
        let file = program(&code, symbols);
        Functions::read(&Elf::read(&file).unwrap()).unwrap().stack("main")
    }

    #[test]
    fn counts_the_deepest_path_without_released_frames() {
        assert_eq!(stack(&CODE, &NAMED), Ok((16, 1032)));
        assert_eq!(stack(&CODE, &NAMED[..4]), Ok((16, 1032 + 508)), "data treated as instructions");
    }

    /// Each of 64 functions pushes 8 bytes and calls the next two: without the cache this would not end.
    #[test]
    fn visits_each_function_once() {
        let calling = [0xb510, 0xf000, 0xf803, 0xf000, 0xf807, 0xbd10];
        let returning = [0x4770, 0xbf00, 0xbf00, 0xbf00, 0xbf00, 0xbf00];
        let code = [calling.repeat(64), returning.repeat(2)].concat();
        let named = (0..66).map(|n| (if n == 0 { "main" } else { "f" }, 0x1001 + 12 * n, 12));
        assert_eq!(stack(&code, &named.chain([("$t", 0x1000, 0)]).collect::<Vec<_>>()), Ok((8, 8 * 63)));
    }

    #[test]
    fn names_the_reason_if_the_stack_use_is_unknown() {
        let with = |at: usize, half| {
            let mut code = CODE;
            code[at] = half;
            stack(&code, &NAMED).unwrap_err()
        };
        assert_eq!(with(5, 0x4798), "`low`: a call through a pointer at 0x100a, so its stack use is unknown");
        assert_eq!(with(11, 0xe7f3), "`main` calls itself, so its stack use is unknown");
        assert_eq!(with(6, 0xe001), "a call leads to 0x1012, where there is no function");
    }

    #[test]
    fn rejects_missing_and_ambiguous_names() {
        assert!(stack(&CODE, &NAMED[1..]).unwrap_err().ends_with("found 0"));
        let twice = [&NAMED[..], &[("main2", 0x100b, 2)]].concat();
        assert!(stack(&CODE, &twice).unwrap_err().ends_with("found 2"));
    }
}
