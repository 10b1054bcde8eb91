//! The Python module `webdyno._engine`: a thin layer that speaks JSON and lets go of the GIL.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use pyo3::exceptions::{PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use serde::Serialize;
use webdyno_engine::protocol::http1::ParseError;
use webdyno_engine::{observer, rights, run};
use webdyno_known_server::{Model, Server};

/// No wait is longer than this, in seconds; it keeps times from overflowing.
const LONGEST_WAIT_S: f64 = 1e9;

/// Makes HTTP load by a specification, on threads of its own.
#[pyclass(module = "webdyno._engine", frozen)]
struct Load(run::Load);

#[pymethods]
impl Load {
    #[new]
    fn new(py: Python<'_>, spec: &str) -> PyResult<Load> {
        py.detach(|| run::Load::new(spec)).map(Load).map_err(PyValueError::new_err)
    }

    fn start(&self) -> PyResult<()> {
        self.0.start().map_err(PyRuntimeError::new_err)
    }

    #[pyo3(signature = (at_ns = None))]
    fn begin(&self, at_ns: Option<u64>) {
        self.0.begin(at_ns);
    }

    fn progress(&self) -> String {
        json(&self.0.progress())
    }

    fn pause(&self, py: Python<'_>) {
        py.detach(|| self.0.pause());
    }

    fn resume(&self) {
        self.0.resume();
    }

    fn begin_change(&self, spec: &str) -> PyResult<()> {
        self.0.begin_change(spec).map_err(PyValueError::new_err)
    }

    fn end_change(&self) {
        self.0.end_change();
    }

    fn stop(&self) {
        self.0.stop();
    }

    fn wait(&self, py: Python<'_>, timeout_s: f64) -> bool {
        let timeout = Duration::from_secs_f64(timeout_s.clamp(0.0, LONGEST_WAIT_S));
        py.detach(|| self.0.wait(timeout))
    }

    fn result(&self, py: Python<'_>) -> PyResult<String> {
        let result = py.detach(|| self.0.result().map(|result| json(&result)));
        result.map_err(PyRuntimeError::new_err)
    }
}

/// Samples what process trees use, on a thread of its own.
#[pyclass(module = "webdyno._engine", frozen)]
struct Observer(observer::Observer);

#[pymethods]
impl Observer {
    #[new]
    #[pyo3(signature = (roots, interval_s = 0.05, cpu = None, groups = BTreeMap::new()))]
    fn new(
        roots: BTreeMap<String, i32>,
        interval_s: f64,
        cpu: Option<usize>,
        groups: BTreeMap<String, PathBuf>,
    ) -> PyResult<Observer> {
        let made =
            observer::Observer::new(roots, interval_s, cpu).map_err(PyValueError::new_err)?;
        Ok(Observer(made.with_groups(groups)))
    }

    fn start(&self) -> PyResult<()> {
        self.0.start().map_err(PyRuntimeError::new_err)
    }

    fn mark(&self, py: Python<'_>, name: &str) -> PyResult<()> {
        py.detach(|| self.0.mark(name)).map_err(PyRuntimeError::new_err)
    }

    fn join(&self, py: Python<'_>, role: &str, pid: i32) -> PyResult<()> {
        py.detach(|| self.0.join(role, pid)).map_err(PyRuntimeError::new_err)
    }

    fn pause(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.0.pause()).map_err(PyRuntimeError::new_err)
    }

    fn resume(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.0.resume()).map_err(PyRuntimeError::new_err)
    }

    fn stop(&self, py: Python<'_>) -> PyResult<String> {
        py.detach(|| self.0.stop()).map_err(PyRuntimeError::new_err)
    }
}

/// Serves as a server of known behaviour (`instant` or `stall`), whose port it prints on standard
/// output, until the process ends. It is meant for a process of its own.
#[pyfunction]
fn serve_known(py: Python<'_>, behaviour: &str) -> PyResult<()> {
    let model = Model::of(behaviour, 0).filter(|_| matches!(behaviour, "instant" | "stall"));
    let Some(model) = model else {
        return Err(PyValueError::new_err(format!("{behaviour}: use instant or stall")));
    };
    let server = Server::listen(0)?;
    println!("{}", server.port()?);
    Ok(py.detach(|| server.serve(model, None))?)
}

/// Gives up the right to send signals to others, and every right over files except to read and
/// execute below `read` and all below `write`: for the calling thread, and what it starts from then
/// on. Returns whether the kernel enforces it.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "Python's lists become ours")]
fn give_up_rights(read: Vec<PathBuf>, write: Vec<PathBuf>) -> PyResult<bool> {
    rights::give_up(&read, &write).map_err(PyOSError::new_err)
}

/// What is wrong with a malformed answer, in words, by the name that details of errors have.
#[pyfunction]
fn malformed() -> BTreeMap<&'static str, String> {
    ParseError::ALL.iter().map(|kind| (kind.name(), kind.to_string())).collect()
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("only finite numbers and text")
}

/// Webdyno's load engine and process observer.
#[pymodule]
fn _engine(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Load>()?;
    module.add_class::<Observer>()?;
    module.add_function(wrap_pyfunction!(malformed, module)?)?;
    module.add_function(wrap_pyfunction!(give_up_rights, module)?)?;
    module.add_function(wrap_pyfunction!(serve_known, module)?)
}
