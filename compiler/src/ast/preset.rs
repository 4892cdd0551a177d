use std::fmt;

/// What the IREE compiler optimises for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Preset {
    /// Time per call.
    #[default]
    Speed,
    /// Bytes of the artifact.
    Size,
}

impl Preset {
    const ALL: [Self; 2] = [Self::Speed, Self::Size];

    /// The preset of this name.
    ///
    /// # Errors
    ///
    /// That there is none.
    pub fn named(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|preset| preset.name() == name);
        found.ok_or_else(|| {
            let names = Self::ALL.map(|preset| format!("`{preset}`"));
            let names = names.join(" or ");
            format!("there is no preset `{name}`: programs are optimised for {names}")
        })
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Speed => "speed",
            Self::Size => "size",
        }
    }
}

impl fmt::Display for Preset {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}
