//! Files that are often found where an archive of tensors is expected.

/// What stands in the place of a large file in a checkout without Git LFS.
const POINTER: &[u8] = b"version https://git-lfs";

/// What a file is, and what to do about it, if it is something that is often taken for an archive of tensors.
///
/// # Examples
///
/// ```
/// use iree_abi::foreign_file;
///
/// let pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 90868376\n";
/// let found = foreign_file(pointer).unwrap();
/// assert!(found.starts_with("it is a pointer of Git LFS to a file of 90868376 bytes"));
/// assert_eq!(foreign_file(b"\x93NUMPY"), None);
/// ```
pub fn foreign_file(bytes: &[u8]) -> Option<String> {
    // The length of a header of safetensors, which is a number below 2³², begins with any bytes.
    if bytes.get(4..9) == Some(b"\0\0\0\0{") {
        return None;
    }
    let start = bytes.trim_ascii_start();
    let found = match bytes {
        [] => "it is empty",
        [0x80, 2..=5, ..] => {
            "it was written by `torch.save` or Python's `pickle`: write it with `safetensors.torch.save_file` instead"
        }
        [0x1f, 0x8b, ..] => "it is compressed with gzip: unpack it first",
        [0x89, b'H', b'D', b'F', ..] => {
            "it is a file of HDF5: write its tensors as safetensors or `.npz` instead"
        }
        [b'G', b'G', b'U', b'F', ..] => "it is a GGUF file: take the model's safetensors instead",
        _ if bytes.starts_with(POINTER) => return Some(pointer(bytes)),
        _ if start.starts_with(b"<") => {
            "it is a web page or XML: what was downloaded is not the file itself"
        }
        _ if start.starts_with(b"{") => {
            "it is JSON: the index of a model in several files names these; open each of them, and give all to the scope"
        }
        _ => return None,
    };
    Some(found.to_owned())
}

fn pointer(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes.get(..bytes.len().min(1024)).unwrap_or_default());
    let size = text.lines().find_map(|line| line.strip_prefix("size "));
    let size = size.and_then(|size| size.trim().parse::<u64>().ok());
    let to = size.map_or_else(String::new, |size| format!(" to a file of {size} bytes"));
    format!("it is a pointer of Git LFS{to}, not the file itself: `git lfs pull` fetches that")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_told_by_how_they_begin() {
        for (bytes, found) in [
            (&b""[..], "empty"),
            (b"\x80\x02}q\x00", "torch.save"),
            (b"\x1f\x8b\x08", "gzip"),
            (b"\x89HDF\r\n", "HDF5"),
            (b"GGUF\x03", "GGUF"),
            (b"\n<!DOCTYPE html>", "web page"),
            (b"{\n  \"weight_map\": {}", "several files"),
        ] {
            let text = foreign_file(bytes).unwrap();
            assert!(text.contains(found), "{text}");
        }
    }

    #[test]
    fn archives_are_not_foreign() {
        for length in [*b"\x80\x02", *b"\x1f\x8b", *b"{\0", *b"<\0", *b"\x08\0"] {
            let safetensors = [&length[..], b"\0\0\0\0\0\0{}      "].concat();
            assert_eq!(foreign_file(&safetensors), None, "{length:?}");
        }
        for bytes in [&b"IRPA"[..], b"PK\x03\x04", b"\x93NUMPY\x01\x00"] {
            assert_eq!(foreign_file(bytes), None);
        }
    }

    #[test]
    fn a_pointer_without_a_size_is_still_one() {
        let text = foreign_file(b"version https://git-lfs.github.com/spec/v1").unwrap();
        assert!(
            text.starts_with("it is a pointer of Git LFS, not"),
            "{text}"
        );
    }
}
