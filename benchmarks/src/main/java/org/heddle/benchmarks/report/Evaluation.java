// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.heddle.benchmarks.experiment.Effort;
import org.heddle.benchmarks.experiment.Experiment;
import org.heddle.benchmarks.experiment.Paper;
import org.heddle.benchmarks.experiment.Plot;
import org.heddle.benchmarks.experiment.Scale;
import org.heddle.benchmarks.result.Provenance;
import org.heddle.benchmarks.result.Result;
import org.heddle.benchmarks.result.ResultFiles;

/** All experiments with their results, ready to be shown. */
public final class Evaluation {
    /** The section with the table of all experiments. */
    static final String OVERVIEW = "overview";

    private final List<Experiment> experiments;
    private final List<Planned> planned;
    private final ResultFiles results;

    public Evaluation(List<Experiment> experiments, List<Planned> planned, ResultFiles results) {
        this.experiments = List.copyOf(experiments);
        this.planned = List.copyOf(planned);
        this.results = results;
    }

    /** The generated sections of the page, by name. */
    public Map<String, String> markdown() throws IOException {
        Map<String, String> sections = new LinkedHashMap<>();
        sections.put(OVERVIEW, overview().markdown() + "\n" + planned().markdown());
        for (Section section : sections()) {
            sections.put(section.name(), Markdown.of(section));
        }
        return sections;
    }

    /** Writes the sections into the page, and the pictures beside it. */
    public void write(Path page, Path images) throws IOException {
        EvaluationPage now = new EvaluationPage(Files.readString(page, StandardCharsets.UTF_8));
        Files.writeString(page, now.with(markdown()).text(), StandardCharsets.UTF_8);
        Files.createDirectories(images);
        for (Section section : sections()) {
            for (Plot plot : section.plots()) {
                Files.write(images.resolve(Markdown.image(section.name(), plot)), Charts.png(plot));
            }
        }
    }

    /** Names of the pictures that the page shows. */
    public List<String> images() throws IOException {
        List<String> images = new ArrayList<>();
        for (Section section : sections()) {
            section.plots().forEach(plot -> images.add(Markdown.image(section.name(), plot)));
        }
        return images;
    }

    /** Writes everything into one HTML file that needs no other. */
    public void writeHtml(Path file) throws IOException {
        Path directory = file.toAbsolutePath().getParent();
        if (directory != null) {
            Files.createDirectories(directory);
        }
        Files.writeString(file, HtmlReport.of(overview(), planned(), sections()), StandardCharsets.UTF_8);
    }

    private List<Section> sections() throws IOException {
        List<Section> sections = new ArrayList<>();
        for (Experiment experiment : experiments) {
            sections.add(Section.of(experiment, results.shown(experiment.name()).orElse(null)));
        }
        return sections;
    }

    private Table overview() throws IOException {
        List<List<String>> rows = new ArrayList<>();
        for (Experiment experiment : experiments) {
            Optional<Result> shown = results.shown(experiment.name());
            rows.add(List.of(
                    experiment.name(),
                    source(
                            experiment.description().paper(),
                            experiment.description().figure()),
                    effort(experiment.effort()),
                    shown.map(Evaluation::state).orElse("not measured yet")));
        }
        return new Table(List.of("experiment", "paper", "scales", "newest result"), rows);
    }

    private static String source(Paper paper, String figure) {
        return paper == Paper.NONE ? "" : paper.title() + ", " + figure;
    }

    private static String effort(Effort effort) {
        String full = "full, " + duration(effort.fullMinutes());
        return effort.isIn(Scale.QUICK)
                ? "quick, " + duration(effort.quickMinutes()) + "; " + full
                : full + (effort.timed() ? ", quiet machine" : "");
    }

    private static String duration(double minutes) {
        return Numbers.duration(TimeUnit.MINUTES.toSeconds(1) * minutes);
    }

    private static String state(Result result) {
        Provenance from = result.provenance();
        return result.scale().word() + ", " + from.date() + ", commit " + from.commit();
    }

    private Table planned() {
        List<List<String>> rows = planned.stream()
                .map(one -> List.of(one.what(), source(one.paper(), one.figure()), one.now()))
                .toList();
        return new Table(List.of("without an experiment", "paper", "what there is instead"), rows);
    }
}
