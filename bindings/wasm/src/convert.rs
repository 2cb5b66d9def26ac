//! Conversion of bytes and errors between JavaScript and Rust.

use grille_registry::UnknownAlgorithm;
use js_sys::{ArrayBuffer, Error, Object, Reflect, TypeError, Uint8Array};
use std::fmt::Display;
use wasm_bindgen::prelude::*;
use zeroize::Zeroizing;

#[wasm_bindgen(typescript_custom_section)]
const BYTES: &str =
    "/** Bytes as input: a Uint8Array, another view, or an ArrayBuffer. The package copies them. */
export type Bytes = ArrayBuffer | ArrayBufferView;
/** The contents of a file as input: bytes, or the text of a PEM file. */
export type FileContents = Bytes | string;";

#[wasm_bindgen]
extern "C" {
    /// An argument that TypeScript knows as `Bytes`; JavaScript may pass anything.
    #[wasm_bindgen(typescript_type = "Bytes")]
    pub type Bytes;
}

#[wasm_bindgen]
extern "C" {
    /// JavaScript's Uint8Array, whose constructor throws for a buffer that was transferred away. That exception must become
    /// an error here: an exception that passes through Rust code leaves the objects of the call borrowed, and then `free`
    /// refuses them.
    #[wasm_bindgen(js_name = Uint8Array, extends = Object)]
    type View;
    #[wasm_bindgen(catch, constructor, js_class = "Uint8Array")]
    fn new(buffer: &JsValue, offset: u32, length: u32) -> Result<View, JsValue>;
}

/// Copies the contents of a file out of JavaScript: bytes, or text as UTF-8. The copy is erased when it is dropped.
pub(crate) fn file_contents(value: &JsValue) -> Result<Zeroizing<Vec<u8>>, JsValue> {
    match value.as_string() {
        Some(text) => Ok(text.into_bytes().into()),
        None => bytes(value, "file"),
    }
}

/// Copies bytes out of JavaScript. The copy is erased when it is dropped. The error names `argument`.
pub(crate) fn bytes(value: &JsValue, argument: &str) -> Result<Zeroizing<Vec<u8>>, JsValue> {
    let view = if ArrayBuffer::is_view(value) {
        let buffer = Reflect::get(value, &"buffer".into())?;
        View::new(&buffer, property(value, "byteOffset")?, property(value, "byteLength")?)?
    } else if value.is_instance_of::<ArrayBuffer>() {
        View::new(value, 0, property(value, "byteLength")?)?
    } else {
        let found = value.js_typeof().as_string().unwrap_or_default();
        let text =
            format!("the {argument} must be a Uint8Array, an ArrayBuffer or a view of one, not {found}");
        return Err(TypeError::new(&text).into());
    };
    Ok(view.unchecked_into::<Uint8Array>().to_vec().into())
}

fn property(object: &JsValue, name: &str) -> Result<u32, JsValue> {
    // Lengths of buffers are whole numbers below 2^53; a buffer of 4 GiB or more does not fit into the module's memory.
    let number = Reflect::get(object, &name.into())?.as_f64().unwrap_or_default();
    Ok(number as u32)
}

/// Copies bytes out of JavaScript. Returns no bytes if the argument is missing.
pub(crate) fn optional_bytes(value: Option<&Bytes>, argument: &str) -> Result<Zeroizing<Vec<u8>>, JsValue> {
    value.map_or_else(|| Ok(Zeroizing::default()), |value| bytes(value, argument))
}

/// Copies a name out of JavaScript.
pub(crate) fn text(value: &JsValue, argument: &str) -> Result<String, JsValue> {
    value.as_string().ok_or_else(|| {
        let found = value.js_typeof().as_string().unwrap_or_default();
        TypeError::new(&format!("the {argument} must be a string, not {found}")).into()
    })
}

/// Converts an error to an exception for JavaScript.
pub(crate) fn error(error: impl Display) -> JsValue {
    Error::new(&error.to_string()).into()
}

/// Returns a plain object with these properties, except the undefined ones.
pub(crate) fn object<const N: usize>(properties: [(&str, JsValue); N]) -> Result<JsValue, JsValue> {
    let object = Object::new();
    for (name, value) in properties.into_iter().filter(|(_, value)| !value.is_undefined()) {
        Reflect::set(&object, &name.into(), &value)?;
    }
    Ok(object.into())
}

/// Copies bytes into JavaScript.
pub(crate) fn array(bytes: &[u8]) -> Uint8Array {
    Uint8Array::from(bytes)
}

/// Converts a value to JavaScript; `undefined` for `None`.
pub(crate) fn optional(value: Option<impl Into<JsValue>>) -> JsValue {
    value.map_or(JsValue::UNDEFINED, Into::into)
}

/// Converts an unknown name to an exception for JavaScript.
pub(crate) fn unknown_algorithm(unknown: &UnknownAlgorithm, list: &str) -> JsValue {
    if unknown.suggestions.is_empty() && unknown.other_use.is_none() {
        let name = unknown.name.escape_debug();
        return error(format_args!("unknown {} \"{name}\"; {list} lists all names", unknown.kind));
    }
    error(unknown)
}
