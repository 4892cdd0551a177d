use super::{Session, State, failed_load};
use crate::{
    Device, HostModule, Module, Parameters, Result, Trace,
    check::Bindings,
    ffi::{Find, Invocation, NativeModule, Rules, Sink, io_parameters},
    parameters::Supplies,
    trace::{self, Observer},
    turns::Turns,
};
use iree_abi::{HOST, Site};
use std::{borrow::Borrow, sync::Arc, time::Duration};

/// Links modules on a device, with options.
pub struct SessionLoader<'d> {
    device: &'d Device,
    supplies: Supplies,
    hosts: Vec<HostModule>,
    /// What programs import.
    pub(crate) imports: HostModule,
    observer: Arc<Observer>,
    sites: &'static [Site],
    rules: Rules,
}

impl<'d> SessionLoader<'d> {
    pub(super) fn new(device: &'d Device) -> Self {
        Self {
            device,
            supplies: Supplies::default(),
            hosts: Vec::new(),
            imports: HostModule::new(HOST),
            observer: Arc::new(trace::to_standard_error),
            sites: &[],
            rules: Rules {
                limit: None,
                has_state: true,
            },
        }
    }

    /// Supplies the parameters of a scope. Several archives may have one scope.
    #[must_use]
    pub fn parameters(mut self, scope: &str, parameters: impl Into<Parameters>) -> Self {
        self.supplies.add(scope, parameters.into());
        self
    }

    /// Lets the modules import functions that are written in Rust.
    #[must_use]
    pub fn host(mut self, module: HostModule) -> Self {
        self.hosts.push(module);
        self
    }

    /// Sends what the modules trace to a function instead of to standard error. It runs while the module waits,
    /// so it cannot call the session.
    #[must_use]
    pub fn trace(mut self, sink: impl Fn(&Trace) + Send + Sync + 'static) -> Self {
        self.observer = Arc::new(sink);
        self
    }

    /// Has calls that take longer fail, with the code [`DeadlineExceeded`](crate::Code::DeadlineExceeded), where they wait
    /// for the device or somebody waits for their results. What the device has to do it does nevertheless, and the
    /// next call waits for that. On `local-sync`, which works while it is told to, no call fails so.
    #[must_use]
    pub const fn time_limit(mut self, limit: Duration) -> Self {
        self.rules.limit = Some(limit);
        self
    }

    /// Says what the source says of the places where the modules are observed.
    #[must_use]
    pub(crate) const fn sites(mut self, sites: &'static [Site]) -> Self {
        self.sites = sites;
        self
    }

    /// Says whether calls change globals.
    #[must_use]
    pub(crate) const fn has_state(mut self, has_state: bool) -> Self {
        self.rules.has_state = has_state;
        self
    }

    pub(crate) const fn supplies(&self) -> &Supplies {
        &self.supplies
    }

    pub(crate) const fn supplies_mut(&mut self) -> &mut Supplies {
        &mut self.supplies
    }

    pub(crate) const fn device(&self) -> &Device {
        self.device
    }

    /// Links the modules and initialises their globals.
    ///
    /// # Errors
    ///
    /// As [`Session::new`].
    pub fn load<M: Borrow<Module>>(self, modules: impl IntoIterator<Item = M>) -> Result<Session> {
        self.prepare(modules)?.session()
    }

    /// Makes what all sessions of the modules share.
    pub(crate) fn prepare<M: Borrow<Module>>(
        self,
        modules: impl IntoIterator<Item = M>,
    ) -> Result<Prepared> {
        let modules = modules.into_iter().map(|module| module.borrow().clone());
        let supplies = Arc::new(self.supplies);
        let searched = supplies.clone();
        let find: Arc<Find> = Arc::new(move |scope: &str, key: &str| searched.find(scope, key));
        let imports = Some(self.imports).filter(|imports| !imports.is_empty());
        let hosts = self.hosts.into_iter().chain(imports);
        let hosts = hosts.map(|host| host.on(self.device));
        let parameters = io_parameters(find, self.device.handle());
        let natives = std::iter::once(parameters).chain(hosts).collect();
        let natives: Result<Vec<_>, _> = natives;
        Ok(Prepared {
            natives: natives.map_err(|source| failed_load(self.sites, source))?,
            sink: trace::sink(self.observer, self.sites),
            modules: modules.collect(),
            supplies,
            sites: self.sites,
            rules: self.rules,
            device: self.device.clone(),
        })
    }
}

/// What all sessions of some modules share.
pub(crate) struct Prepared {
    natives: Vec<NativeModule>,
    sink: Arc<Sink>,
    modules: Vec<Module>,
    supplies: Arc<Supplies>,
    sites: &'static [Site],
    rules: Rules,
    device: Device,
}

impl Prepared {
    /// Links the modules and initialises their globals.
    pub(crate) fn session(&self) -> Result<Session> {
        let modules = self.modules.iter();
        let names = modules.clone().map(Module::name).collect::<Vec<_>>();
        let _span = tracing::debug_span!("load", modules = ?names).entered();
        let handles: Vec<_> = modules.map(|module| module.handle().clone()).collect();
        let invocation = self.device.lane().and_then(|lane| {
            let sink = self.sink.clone();
            Invocation::new(lane, &self.rules, sink, &self.natives, &handles)
        });
        let session = Session {
            state: Turns::new(State {
                invocation: invocation.map_err(|source| failed_load(self.sites, source))?,
                bindings: Bindings::default(),
            }),
            modules: self.modules.clone(),
            supplies: self.supplies.clone(),
            sites: self.sites,
            device: self.device.clone(),
        };
        session.initialize()?;
        Ok(session)
    }
}
