//! Styles of text on a terminal.

use anstyle::{AnsiColor, Style};

/// The style of headings and names.
pub(crate) const BOLD: Style = Style::new().bold();
/// The style of less important text.
pub(crate) const DIM: Style = Style::new().dimmed();
/// The style of success.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default().bold();
/// The style of warnings.
pub(crate) const WARN: Style = AnsiColor::Yellow.on_default().bold();
/// The style of errors.
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();
