use anyhow::{Context, Result};
use plotters::prelude::*;
use std::path::Path;

const SIZE_IN_PIXELS: (u32, u32) = (640, 360);

/// More points than this are a line without dots.
const MOST_DOTS: usize = 100;

/// Draws losses into an SVG file: one for each epoch, or whatever they are counted in.
pub(crate) fn draw_loss(path: &Path, caption: &str, unit: &str, losses: &[f32]) -> Result<()> {
    draw(path, caption, unit, losses)
        .with_context(|| format!("cannot draw the loss into {}", path.display()))
}

fn draw(path: &Path, caption: &str, unit: &str, losses: &[f32]) -> Result<()> {
    let highest = losses.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
    let area = SVGBackend::new(path, SIZE_IN_PIXELS).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .caption(caption, ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(36)
        .y_label_area_size(48)
        .build_cartesian_2d(1..losses.len().max(2), 0.0..highest * 1.05)?;
    chart
        .configure_mesh()
        .x_desc(unit)
        .y_desc("cross entropy")
        .light_line_style(TRANSPARENT)
        .draw()?;
    let points = losses
        .iter()
        .enumerate()
        .map(|(index, loss)| (index + 1, *loss));
    chart.draw_series(LineSeries::new(points.clone(), BLUE.stroke_width(2)))?;
    if losses.len() <= MOST_DOTS {
        chart.draw_series(points.map(|point| Circle::new(point, 2, BLUE.filled())))?;
    }
    area.present()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn the_plot_has_a_point_for_each_epoch() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("loss.svg");
        draw_loss(&path, "Loss", "epoch", &[2.3, 1.0, 0.5, 0.4]).unwrap();
        let svg = fs::read_to_string(path).unwrap();
        assert_eq!(svg.matches("<circle").count(), 4);
        assert!(svg.contains("cross entropy"));
    }

    #[test]
    fn a_folder_that_is_not_there_is_named() {
        let error = draw_loss(Path::new("/no/such/folder/loss.svg"), "", "", &[1.0]).unwrap_err();
        assert!(error.to_string().contains("/no/such/folder/loss.svg"));
    }
}
