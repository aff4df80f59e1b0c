'use strict';
/* Draws the charts of WHATIF: mean shares of the cluster in equal intervals. */
(() => {
  const COLOURS = ['#2563c9', '#c2410c', '#15803d', '#9333ea', '#b45309', '#0e7490', '#be185d', '#4d7c0f', '#64748b', '#a16207'];
  const style = getComputedStyle(document.body);
  const axis = {stroke: style.color, grid: {stroke: style.getPropertyValue('--line')}, ticks: {stroke: style.getPropertyValue('--line')}};
  const percent = value => value == null ? '' : (100 * value).toFixed(1) + ' %';
  const place = document.getElementById('charts');
  // All charts have the same times, although some schedulers end earlier.
  const length = Math.max(1, ...WHATIF.flatMap(chart => chart.lines.map(line => line[1].length)));
  const seconds = length * WHATIF[0].interval;
  const [from, to] = seconds > 86400 ? [5, 16] : seconds > 1800 ? [11, 16] : [11, 19];
  const clock = seconds => new Date(1000 * seconds).toISOString().replace('T', ' ');
  for (const chart of WHATIF) {
    const title = document.createElement('h3');
    title.textContent = chart.title;
    const frame = document.createElement('div');
    frame.setAttribute('role', 'img');
    frame.setAttribute('aria-label', 'Share of the cluster over time: ' + chart.title);
    place.append(title, frame);
    const times = Array.from({length: length + 1}, (none, at) => chart.begin + at * chart.interval);
    // The last value once more: a step needs its end.
    const data = chart.lines.map(([name, shares]) =>
        times.map((time, at) => at < shares.length ? shares[at] : at === shares.length && at > 0 ? shares[at - 1] : null));
    const options = width => ({
      width, height: 260, tzDate: seconds => uPlot.tzDate(new Date(1000 * seconds), 'UTC'),
      scales: {y: {range: (plot, least, most) => [0, Math.max(0.05, Math.min(1, most * 1.05 || 0.05))]}},
      axes: [{...axis, space: 90, values: (plot, marks) => marks.map(mark => clock(mark).slice(from, to))}, {...axis, size: 60, values: (plot, marks) => marks.map(mark => Math.round(100 * mark) + ' %')}],
      series: [{label: 'time, UTC', value: (plot, value) => value == null ? '' : clock(value).slice(0, 19)}, ...chart.lines.map(([name], at) => ({
        label: name, stroke: COLOURS[at % COLOURS.length], width: 1.5, dash: at >= COLOURS.length ? [6, 4] : undefined,
        paths: uPlot.paths.stepped({align: 1}), points: {show: false}, value: (plot, value) => percent(value)
      }))]
    });
    const drawn = new uPlot(options(frame.clientWidth || 900), [times, ...data], frame);
    addEventListener('resize', () => drawn.setSize({width: frame.clientWidth || 900, height: 260}));
  }
})();
