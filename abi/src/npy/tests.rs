use super::*;

fn file(description: &str, fortran: &str, shape: &str, elements: &[u8]) -> Vec<u8> {
    let header =
        format!("{{'descr': {description}, 'fortran_order': {fortran}, 'shape': {shape}}}");
    with_header(&header, elements)
}

fn with_header(header: &str, elements: &[u8]) -> Vec<u8> {
    let length = u16::try_from(header.len()).unwrap().to_le_bytes();
    [MAGIC, b"\x01\x00", &length, header.as_bytes(), elements].concat()
}

/// The type, and the elements in memory.
fn read(file: &[u8]) -> (String, Vec<u8>) {
    let parsed = NpyFile::parse(file).unwrap();
    let mut memory = vec![9; parsed.elements.len()];
    parsed.write_to(&mut memory);
    assert!(!parsed.is_as_in_memory() || memory == parsed.elements);
    assert!(file[parsed.start..].starts_with(parsed.elements));
    (parsed.ty.to_string(), memory)
}

#[test]
fn what_is_written_reads_back() {
    for dtype in DType::ALL {
        for shape in [&[][..], &[3], &[2, 0], &[1, 2, 3]] {
            let mut file = npy_header(dtype, shape);
            assert_eq!(file.len() % 64, 0);
            assert_eq!(file.last(), Some(&b'\n'));
            let elements = vec![1; dtype.size() * shape.iter().product::<usize>()];
            file.extend(&elements);
            let (ty, bytes) = read(&file);
            assert_eq!(ty, TensorType::new(dtype, shape).to_string());
            assert_eq!(bytes, elements);
        }
    }
}

#[test]
fn every_name_of_numpy_is_known() {
    let types = [
        ("|b1", "bool"),
        ("|i1", "i8"),
        ("<i2", "i16"),
        ("=i4", "i32"),
        ("<i8", "i64"),
        ("|u1", "u8"),
        ("<u2", "u16"),
        ("<u4", "u32"),
        ("<u8", "u64"),
        ("<f2", "f16"),
        ("|V2", "bf16"),
        ("<f4", "f32"),
        ("<f8", "f64"),
        ("<c8", "Complex<f32>"),
        ("<c16", "Complex<f64>"),
    ];
    for (description, name) in types {
        let file = file(&format!("'{description}'"), "False", "(1,)", &[1; 16]);
        assert_eq!(read(&file).0, format!("Tensor<{name}, 1>"));
    }
    for description in [
        "'|O'",
        "'<U3'",
        "'<M8[ns]'",
        "'<f16'",
        "'|S4'",
        "''",
        "[('a', '<f4'), ('b', '<i2')]",
    ] {
        let error = NpyFile::parse(&file(description, "False", "(1,)", &[0; 16])).unwrap_err();
        assert_eq!(error, ParseNpyError::Element(description.to_owned()));
    }
}

#[test]
fn elements_come_as_they_are_in_memory() {
    let (_, bytes) = read(&file("'|u1'", "True", "(2, 3)", &[0, 3, 1, 4, 2, 5]));
    assert_eq!(bytes, [0, 1, 2, 3, 4, 5]);
    let (_, bytes) = read(&file("'>c8'", "False", "(1,)", &[0, 1, 2, 3, 4, 5, 6, 7]));
    assert_eq!(bytes, [3, 2, 1, 0, 7, 6, 5, 4]);
    let (_, bytes) = read(&file("'|b1'", "False", "(2,)", &[0, 255]));
    assert_eq!(bytes, [0, 1]);
    let (ty, bytes) = read(&file("'<f8'", "True", "(3, 0)", &[]));
    assert_eq!((ty.as_str(), bytes.len()), ("Tensor<f64, 3, 0>", 0));
    let (ty, bytes) = read(&file("'<i2'", "False", "()", &[1, 2]));
    assert_eq!((ty.as_str(), bytes), ("Tensor<i16>", vec![1, 2]));
}

#[test]
fn headers_may_be_written_in_many_ways() {
    for header in [
        "{\"shape\": (2L, 1L), \"fortran_order\": False, \"descr\": \"|u1\",}  \n",
        "{'descr':'|u1','fortran_order':False,'shape':(2,1,)}",
    ] {
        assert_eq!(read(&with_header(header, &[7, 8])).0, "Tensor<u8, 2, 1>");
    }
    let later = [MAGIC, b"\x03\x00", &[58, 0, 0, 0]].concat();
    let later = [
        &later[..],
        b"{'descr': '|u1', 'fortran_order': False, 'shape': (1,), } \n",
        &[5],
    ];
    assert_eq!(read(&later.concat()).0, "Tensor<u8, 1>");
}

#[test]
fn what_is_no_array_is_refused() {
    let whole = file("'<f4'", "False", "(2, 3)", &[7; 24]);
    assert!(NpyFile::parse(&whole).is_ok());
    for length in 0..whole.len() {
        assert!(NpyFile::parse(&whole[..length]).is_err(), "{length}");
    }
    for header in [
        "",
        "{",
        "}{",
        "{}",
        "{:}",
        "{'descr'}",
        "['descr']",
        "{'descr': '|u1', 'fortran_order': 1, 'shape': (1,)}",
        "{'descr': '|u1', 'fortran_order': True}",
        "{'descr': '|u1', 'fortran_order': True, 'shape': 1}",
        "{'descr': '|u1', 'fortran_order': True, 'shape': (-1,)}",
        "{'descr': '|u1', 'fortran_order': True, 'shape': (1, ,2)}",
        "{'descr': '|u1', 'fortran_order': True, 'shape': (1,), 'x': 1}",
        "{'déscr': ",
    ] {
        let file = with_header(header, &[0; 8]);
        let refused = NpyFile::parse(&file);
        assert_eq!(refused, Err(ParseNpyError::Header), "{header}");
    }
    for shape in ["(4294967296, 4294967296, 2)", "(99999999999999999999,)"] {
        let large = file("'<f4'", "False", shape, &[]);
        assert_eq!(NpyFile::parse(&large), Err(ParseNpyError::TooLarge));
    }
    let early = file("'<f4'", "False", "(2,)", &[0; 7]);
    let early = NpyFile::parse(&early).unwrap_err();
    let expected = "it ends early: there are 7 bytes of elements for `Tensor<f32, 2>`";
    assert_eq!(early.to_string(), expected);
}
