use crate::Extent;
use std::fmt;

/// More bytes than this no memory has. What programs compute of sizes on their way, such as the places of
/// elements and what is added to fill blocks up, stays some powers of two larger within 63 bits.
const MOST_BYTES: i128 = 1 << 56;

/// That one number computed from sizes is at most another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "build", derive(serde::Serialize, serde::Deserialize))]
pub struct Requirement {
    /// The number that is not larger.
    pub least: Extent,
    /// The number that is not smaller.
    pub most: Extent,
}

impl Requirement {
    /// That one number is at most another, in the simplest form that says the same; `None` if a coefficient
    /// overflows.
    ///
    /// # Examples
    ///
    /// ```
    /// use iree_abi::{Extent, Requirement};
    ///
    /// let twice: Extent = "2*N - 3".parse()?;
    /// let requirement = Requirement::order(&Extent::from(0), &twice).unwrap();
    /// assert_eq!(requirement.to_string(), "N >= 2");
    /// # Ok::<(), iree_abi::ParseExtentError>(())
    /// ```
    pub fn order(least: &Extent, most: &Extent) -> Option<Self> {
        let distance = most.minus(least)?;
        if let Some((number, divisor)) = distance.as_remainder() {
            let most = number.over(divisor)?.times(&Extent::constant(divisor))?;
            let least = number;
            return Some(Self { least, most });
        }
        let (least, most) = distance.simplest_bounds()?;
        Some(Self { least, most })
    }

    /// What makes two numbers equal: that nothing remains of divisions in them. `None` if they are anything else.
    ///
    /// # Examples
    ///
    /// ```
    /// use iree_abi::{Extent, Requirement};
    ///
    /// let (count, rounded): (Extent, Extent) = ("H*W".parse()?, "64*(H/8)*(W/8)".parse()?);
    /// let equal = Requirement::equal(&count, &rounded).unwrap();
    /// let words: Vec<_> = equal.iter().map(ToString::to_string).collect();
    /// assert_eq!(words, ["H % 8 == 0", "W % 8 == 0"]);
    /// # Ok::<(), iree_abi::ParseExtentError>(())
    /// ```
    pub fn equal(one: &Extent, other: &Extent) -> Option<Vec<Self>> {
        let divisions = one.remainders_between(other)?;
        let whole = divisions.iter().map(|(dividend, divisor)| {
            let rounded = dividend
                .over(*divisor)?
                .times(&Extent::constant(*divisor))?;
            Self::order(dividend, &rounded)
        });
        whole.collect()
    }

    /// That a memory may have so many bytes.
    pub fn memory(bytes: Extent) -> Self {
        Self {
            least: bytes,
            most: Extent::constant(MOST_BYTES),
        }
    }

    /// Whether it says that a memory may have so many bytes.
    pub fn is_of_memory(&self) -> bool {
        self.most.known() == Some(MOST_BYTES)
    }
}

impl fmt::Display for Requirement {
    /// Writes it without subtractions, and with what is known on the right: `B >= 5`, `N % 32 == 0`. What always holds
    /// where a size is 0 is said without that size: `N >= 1 || M == 0` for `M*N >= M`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(distance) = self.most.minus(&self.least) else {
            return write_order(&self.least, &self.most, formatter);
        };
        if let Some((number, divisor)) = distance.as_remainder() {
            let number = number.nearest_to_multiple(divisor).unwrap_or(number);
            return match number.as_name() {
                Some(name) => write!(formatter, "{name} % {divisor} == 0"),
                None => write!(formatter, "({number}) % {divisor} == 0"),
            };
        }
        let distance = distance.undivided().unwrap_or(distance);
        let (names, rest) = distance.common_names();
        let (names, distance) = match rest.known() {
            Some(_) => (Vec::new(), &distance),
            None => (names, &rest),
        };
        let simplest = distance.simplest_bounds();
        let (least, most) = simplest.unwrap_or_else(|| distance.by_sign());
        write_order(&least, &most, formatter)?;
        for (place, name) in names.iter().enumerate() {
            if !names.iter().take(place).any(|known| known == name) {
                write!(formatter, " || {name} == 0")?;
            }
        }
        Ok(())
    }
}

fn write_order(least: &Extent, most: &Extent, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    match most.known() {
        Some(_) => write!(formatter, "{least} <= {most}"),
        None => write!(formatter, "{most} >= {least}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(least: &str, most: &str) -> Requirement {
        let [least, most] = [least, most].map(|text| text.parse().expect("an extent"));
        Requirement::order(&least, &most).expect("a requirement")
    }

    #[test]
    fn orders_are_told_in_the_fewest_words() {
        for (least, most, words) in [
            ("0", "N - 2", "N >= 2"),
            ("0", "2*N - 3", "N >= 2"),
            ("1", "N - 1", "N >= 2"),
            ("0", "(N - 2)/3", "N >= 2"),
            ("0", "(N - 8)/2", "N >= 8"),
            ("2", "(N + 1)/4", "N >= 7"),
            ("0", "5 - 2*N", "N <= 2"),
            ("0", "4 - (N/3)", "N <= 14"),
            ("0", "4*N - 6*M - 3", "2*N >= 3*M + 2"),
            ("A + 1", "B", "B >= A + 1"),
            ("N", "32*(N/32)", "N % 32 == 0"),
            ("6*N", "4*((6*N)/4)", "N % 2 == 0"),
            ("A + B", "4*((A + B)/4)", "(A + B) % 4 == 0"),
            ("A*B", "32*((A*B)/32)", "(A*B) % 32 == 0"),
            ("N - 1", "32*((N - 1)/32)", "(N - 1) % 32 == 0"),
            ("M", "M*N", "N >= 1 || M == 0"),
            ("2*M*M", "M*M*N - 3*M*M", "N >= 5 || M == 0"),
            ("A*B", "A*C", "C >= B || A == 0"),
            ("1", "M*N", "M*N >= 1"),
            ("M", "N/2", "N >= 2*M"),
            ("M + 1", "N/2 + K", "2*K + N >= 2*M + 2"),
            ("(N - 1)/3", "M", "3*M + 3 >= N"),
            ("M*(N/2)", "K", "K >= M*(N/2)"),
        ] {
            assert_eq!(order(least, most).to_string(), words, "{least} <= {most}");
        }
    }

    #[test]
    fn what_is_simpler_says_the_same() {
        for (least, most) in [
            ("0", "N - 2"),
            ("0", "2*N - 3"),
            ("0", "(N - 2)/3 - 1"),
            ("0", "7 - 2*((N + 1)/3)"),
            ("0", "4*N - 6*M - 3"),
            ("N/2", "(2*M)/3"),
            ("N", "3*(N/3)"),
            ("2*N + 6*M", "4*((2*N + 6*M)/4)"),
        ] {
            let simple = order(least, most);
            let [least, most] = [least, most].map(|text| text.parse::<Extent>().expect("one"));
            for (n, m) in (0..20).flat_map(|n| (0..20).map(move |m| (n, m))) {
                let value = |name: &str| Some(if name == "N" { n } else { m });
                let holds = |least: &Extent, most: &Extent| {
                    least.evaluate(&value).zip(most.evaluate(&value))
                };
                let [one, other] = [(&least, &most), (&simple.least, &simple.most)]
                    .map(|(least, most)| holds(least, most).map(|(least, most)| least <= most));
                assert!(one.is_some() && one == other, "{simple} for {n} and {m}");
            }
        }
    }
}
