//! Parts of SVG drawings.

use std::fmt::Write;

/// Returns the beginning of a document of this width and height, with a title at the top left.
pub(crate) fn begin((width, height): (u32, u32), title: &str) -> String {
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
         font-size=\"13\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
    );
    // writing to a String cannot fail
    let _ = writeln!(svg, "<text x=\"24\" y=\"32\" font-size=\"18\">{title}</text>");
    svg
}

/// Adds a filled rectangle with this top left corner, width and height.
pub(crate) fn rectangle(svg: &mut String, [x, y, width, height]: [u32; 4], color: &str) {
    // writing to a String cannot fail
    let _ =
        writeln!(svg, "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{color}\"/>");
}

/// Adds a text. Special characters of XML are escaped, because `words` may come from the user.
pub(crate) fn text(svg: &mut String, (x, y): (u32, u32), words: &str) {
    let words = words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    // writing to a String cannot fail
    let _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\">{words}</text>");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_markup() {
        let mut svg = String::new();
        text(&mut svg, (1, 2), "<a> & b");
        assert_eq!(svg, "<text x=\"1\" y=\"2\">&lt;a&gt; &amp; b</text>\n");
    }
}
