use super::{
    super::statement::{Region, Statement},
    Known, translate as translate_statement,
};

pub(super) fn translate(statement: &Statement<'_>, known: &Known) -> Option<String> {
    let regions = statement.regions.as_slice();
    match (statement.op, statement.operands.as_slice()) {
        ("call", [x]) => Some(format!("add_2({x})")),
        ("composite", [x]) => Some(format!("add_n({x}, {})", statement.number("n")?)),
        ("constant", []) => constant(statement),
        ("map", operands) => block(regions.first()?, operands),
        ("if", [condition]) => {
            let [then, otherwise] = regions else {
                return None;
            };
            let (then, otherwise) = (block(then, &[])?, block(otherwise, &[])?);
            Some(format!("if {condition} {then} else {otherwise}"))
        }
        ("case", [index]) => case(index, regions),
        ("while", _) => repeat(statement),
        ("sort", keys) => sort(statement, keys),
        ("scan", operands) => scan(statement, operands, known),
        _ => None,
    }
}

/// The same element everywhere.
fn constant(statement: &Statement<'_>) -> Option<String> {
    let (element, _) = statement
        .text
        .trim()
        .strip_prefix("dense<")?
        .split_once('>')?;
    let ty = statement.result_types.last()?;
    Some(format!("full::<{}>({element})", super::shape::generics(ty)))
}

/// A region as a block, in which its parameters are bound to values.
fn block(region: &Region<'_>, arguments: &[String]) -> Option<String> {
    block_with(region, arguments, &tuple(&region.results))
}

/// A region as a block with another value.
fn block_with(region: &Region<'_>, arguments: &[String], value: &str) -> Option<String> {
    let bound = region.parameters.iter().zip(arguments);
    let bound = bound.map(|(name, value)| format!("let {name} = {value}; "));
    let mut text: String = bound.collect();
    for statement in &region.statements {
        let value = translate_statement(statement, &Known::new())?;
        text += &format!("let {} = {value}; ", tuple(&statement.results));
    }
    Some(format!("{{ {text}{value} }}"))
}

pub(super) fn closure(region: &Region<'_>) -> Option<String> {
    Some(format!(
        "|{}| {}",
        region.parameters.join(", "),
        block(region, &[])?
    ))
}

/// One value, or several.
pub(super) fn tuple(names: &[String]) -> String {
    match names {
        [one] => one.clone(),
        _ => format!("({})", names.join(", ")),
    }
}

/// An index that no region has stands for the last one.
fn case(index: &str, regions: &[Region<'_>]) -> Option<String> {
    let (last, others) = regions.split_last()?;
    let mut text = String::new();
    for (number, region) in others.iter().enumerate() {
        text += &format!("if {index} == {number} {} else ", block(region, &[])?);
    }
    Some(text + &block(last, &[])?)
}

fn repeat(statement: &Statement<'_>) -> Option<String> {
    let [condition, body] = statement.regions.as_slice() else {
        return None;
    };
    let pairs = statement.operands.chunks_exact(2);
    let states: Vec<_> = pairs.clone().map(|pair| pair[0].clone()).collect();
    let bound: String = pairs
        .map(|pair| format!("let mut {} = {}; ", pair[0], pair[1]))
        .collect();
    let (condition, body, states) = (block(condition, &[])?, block(body, &[])?, tuple(&states));
    Some(format!(
        "{{ {bound} while {condition} {{ {states} = {body}; }} {states} }}"
    ))
}

/// Falling order is the rising order of the complements.
fn sort(statement: &Statement<'_>, operands: &[String]) -> Option<String> {
    let [comparison] = statement.regions.first()?.statements.as_slice() else {
        return None;
    };
    let key = operands.first()?;
    let key = match comparison.text.trim().split(',').next()? {
        "LT" => key.clone(),
        "GT" => format!("!{key}"),
        _ => return None,
    };
    let axis = statement.number("dimension")?;
    let sorted: Vec<_> = operands
        .iter()
        .map(|operand| format!("{operand}.sort_by_key({key}, {axis})"))
        .collect();
    Some(tuple(&sorted))
}

/// The language scans the first axis forwards.
fn scan(statement: &Statement<'_>, operands: &[String], known: &Known) -> Option<String> {
    let region = statement.regions.first()?;
    let (inputs, inits) = operands.split_at(operands.len() / 2);
    let axis = statement.number("dimension")?;
    let backwards = statement.is("is_reverse", "true");
    let turned = match backwards {
        true => format!(".reverse({axis})"),
        false => String::new(),
    };
    let first = match known.get(inputs.first()?)?.ty.shape.rank() {
        1 => String::new(),
        _ => format!(".swap_axes(0, {axis})"),
    };
    let (elements, carries) = region.parameters.split_at(inputs.len());
    let (outputs, next) = region.results.split_at(inputs.len());
    let handed_on = format!("({}, {})", tuple(next), tuple(outputs));
    let step = block_with(region, &[], &handed_on)?;
    let step = format!("|{}, {}| {step}", tuple(carries), tuple(elements));
    let xs: Vec<_> = inputs
        .iter()
        .map(|x| format!("{x}{turned}{first}"))
        .collect();
    let named = |name: &str| {
        (0..inputs.len())
            .map(|index| format!("{name}_{index}"))
            .collect()
    };
    let (carried, stacked): (Vec<_>, Vec<_>) = (named("carry"), named("stacked"));
    let ys = stacked.iter().map(|y| format!("{y}{first}{turned}"));
    let results: Vec<_> = ys.chain(carried.iter().cloned()).collect();
    let scan = format!("scan({}, {}, {step})", tuple(inits), tuple(&xs));
    let pattern = format!("({}, {})", tuple(&carried), tuple(&stacked));
    Some(format!("{{ let {pattern} = {scan}; {} }}", tuple(&results)))
}
