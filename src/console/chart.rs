//! Charts of numbers over time, as SVG rendered by the server. Labels are HTML next to the drawing, to stay readable at
//! every width; the numbers are also in a table (`templates/parts/chart.html`).

use std::fmt::Write;

/// Size of the drawing in SVG units; the browser scales it.
const WIDTH: f64 = 600.0;
const HEIGHT: f64 = 120.0;
/// Margin that keeps lines at the top and bottom from being clipped.
const EDGE: f64 = 3.0;
/// Share of a step's width that its bar takes.
const BAR: f64 = 0.72;

/// A named series of values.
pub(crate) struct Series {
    /// The label.
    pub name: String,
    /// The CSS class of its colour.
    pub class: &'static str,
    /// One value per step; none where there is no data.
    pub values: Vec<Option<f64>>,
}

/// The type of a chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChartKind {
    /// Stacked bars, one stack per step.
    Bars,
    /// One line per series.
    Lines,
}

/// One or more series over the same steps.
pub(crate) struct Chart {
    /// The heading.
    pub title: &'static str,
    /// A one-sentence summary.
    pub about: String,
    pub kind: ChartKind,
    /// Start of each step, Unix milliseconds.
    pub times: Vec<i64>,
    pub series: Vec<Series>,
}

/// A rectangle of a bar chart.
pub(crate) struct Bar {
    pub class: &'static str,
    pub x: String,
    pub y: String,
    pub width: String,
    pub height: String,
}

impl Chart {
    /// The upper end of the vertical axis.
    pub(crate) fn top(&self) -> f64 {
        let highest = match self.kind {
            ChartKind::Lines => {
                self.series.iter().flat_map(|series| series.values.iter().flatten()).copied().fold(0.0, f64::max)
            }
            ChartKind::Bars => (0..self.times.len()).map(|step| self.sum(step)).fold(0.0, f64::max),
        };
        ceiling(highest)
    }

    /// Start of the first step, Unix milliseconds.
    pub(crate) fn first(&self) -> i64 {
        self.times.first().copied().unwrap_or_default()
    }

    /// Start of the last step, Unix milliseconds.
    pub(crate) fn last(&self) -> i64 {
        self.times.last().copied().unwrap_or_default()
    }

    /// Whether all values are zero or missing.
    pub(crate) fn is_empty(&self) -> bool {
        self.series.iter().all(|series| series.values.iter().flatten().all(|value| *value == 0.0))
    }

    /// The rectangles of all series.
    pub(crate) fn bars(&self) -> Vec<Bar> {
        if self.kind != ChartKind::Bars {
            return Vec::new();
        }
        let (top, step) = (self.top(), WIDTH / as_number(self.times.len().max(1)));
        let mut bars = Vec::new();
        for at in 0..self.times.len() {
            let mut below = 0.0;
            for series in &self.series {
                let value = series.values.get(at).copied().flatten().unwrap_or_default();
                if value > 0.0 {
                    bars.push(Bar {
                        class: series.class,
                        x: round(as_number(at) * step + step * (1.0 - BAR) / 2.0),
                        y: round(HEIGHT - (below + value) / top * (HEIGHT - EDGE)),
                        width: round(step * BAR),
                        height: round(value / top * (HEIGHT - EDGE)),
                    });
                    below += value;
                }
            }
        }
        bars
    }

    /// The CSS class and SVG path of each line.
    pub(crate) fn lines(&self) -> Vec<(&'static str, String)> {
        if self.kind != ChartKind::Lines {
            return Vec::new();
        }
        let top = self.top();
        self.series.iter().map(|series| (series.class, path(&series.values, top))).collect()
    }

    /// The rows of the table: start of the step and formatted values.
    pub(crate) fn rows(&self) -> Vec<(i64, Vec<String>)> {
        let of = |at: usize| {
            let values = self.series.iter().map(|series| series.values.get(at).copied().flatten());
            values.map(|value| value.map_or_else(|| "–".to_owned(), number)).collect()
        };
        self.times.iter().enumerate().map(|(at, time)| (*time, of(at))).collect()
    }

    fn sum(&self, at: usize) -> f64 {
        self.series.iter().filter_map(|series| series.values.get(at).copied().flatten()).sum()
    }
}

/// The SVG path of a sparkline in a table row.
pub(crate) fn sparkline(values: &[Option<f64>]) -> String {
    path(values, values.iter().flatten().copied().fold(f64::MIN_POSITIVE, f64::max))
}

/// Formats a number with at most two decimals.
pub(crate) fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A line through the known values; a single value between gaps becomes a dot.
fn path(values: &[Option<f64>], top: f64) -> String {
    let step = (WIDTH - 2.0 * EDGE) / as_number(values.len().saturating_sub(1).max(1));
    let mut path = String::new();
    let mut goes_on = false;
    for (at, value) in values.iter().enumerate() {
        let Some(value) = value else {
            goes_on = false;
            continue;
        };
        let x = round(EDGE + as_number(at) * step);
        let y = round(HEIGHT - EDGE - value / top * (HEIGHT - 2.0 * EDGE));
        // Writing to a string cannot fail. A zero-length line with round caps is drawn as a dot.
        let _ = if goes_on { write!(path, "L{x} {y}") } else { write!(path, "M{x} {y}h0") };
        goes_on = true;
    }
    path
}

/// The smallest of 1, 2, 5, 10, 20 … that is not below the value.
fn ceiling(value: f64) -> f64 {
    let mut size = 1.0;
    loop {
        for factor in [1.0, 2.0, 5.0] {
            if value <= factor * size || size > 1e15 {
                return factor * size;
            }
        }
        size *= 10.0;
    }
}

fn round(value: f64) -> String {
    number((value * 10.0).round() / 10.0)
}

/// A count as a value of a chart.
#[expect(clippy::cast_precision_loss, reason = "a chart shows no more digits")]
pub(crate) fn value(count: i64) -> f64 {
    count as f64
}

/// Converts a count of steps; steps are few, so this is lossless.
fn as_number(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(kind: ChartKind, series: &[&[Option<f64>]]) -> Chart {
        let of = |values: &&[Option<f64>]| Series { name: String::new(), class: "", values: values.to_vec() };
        Chart { title: "", about: String::new(), kind, times: vec![0, 1], series: series.iter().map(of).collect() }
    }

    #[test]
    fn bars_of_a_step_stand_on_each_other_below_the_top() {
        let chart = chart(ChartKind::Bars, &[&[Some(1.0), None], &[Some(3.0), Some(0.0)]]);
        assert!((chart.top() - 5.0).abs() < f64::EPSILON, "of the sum 4");
        let bars = chart.bars();
        assert_eq!(bars.len(), 2, "none for nothing");
        let shown: Vec<_> = bars.iter().map(|bar| (bar.y.as_str(), bar.height.as_str())).collect();
        assert_eq!(shown, [("96.6", "23.4"), ("26.4", "70.2")]);
    }

    #[test]
    fn lines_break_where_there_is_no_number() {
        let chart = chart(ChartKind::Lines, &[&[Some(0.0), Some(1.0)], &[None, Some(0.5)]]);
        let lines: Vec<_> = chart.lines().into_iter().map(|(_, path)| path).collect();
        assert_eq!(lines, ["M3 117h0L597 3", "M597 60h0"]);
        assert_eq!(chart.rows().first().map(|(_, row)| row.clone()), Some(vec!["0".to_owned(), "–".to_owned()]));
    }

    #[test]
    fn the_top_is_a_round_number() {
        for (value, top) in [(0.0, "1"), (1.0, "1"), (3.0, "5"), (51.0, "100"), (1200.0, "2000")] {
            assert_eq!(number(ceiling(value)), top);
        }
        assert_eq!([number(0.5), number(10.0), number(1.255)], ["0.5", "10", "1.25"]);
    }
}
