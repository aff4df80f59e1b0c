// SPDX-License-Identifier: Apache-2.0
package org.heddle.benchmarks.result;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.heddle.benchmarks.experiment.Scale;

/**
 * Results in a directory: a file for each experiment, a JSON object on each line, the oldest first. Lines are only
 * added.
 */
public final class ResultFiles {
    /** Version of the format of a line. */
    static final int FORMAT = 1;

    private static final String VERSION = "format";
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path directory;

    public ResultFiles(Path directory) {
        this.directory = directory;
    }

    /** The file of an experiment; it need not exist. */
    public Path file(String experiment) {
        return directory.resolve(experiment + ".jsonl");
    }

    /** Adds a line to the experiment's file. */
    public void append(Result result) throws IOException {
        Files.createDirectories(directory);
        Files.writeString(
                file(result.experiment()),
                line(result) + "\n",
                StandardCharsets.UTF_8,
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }

    /**
     * All results of an experiment, the oldest first.
     *
     * @throws IOException if a line cannot be read; the message names the file and the line
     */
    public List<Result> read(String experiment) throws IOException {
        Path file = file(experiment);
        if (!Files.exists(file)) {
            return List.of();
        }
        List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
        List<Result> results = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            Result result = parse(lines.get(i), file + ", line " + (i + 1));
            if (!result.experiment().equals(experiment)) {
                throw new IOException(file + ", line " + (i + 1) + " is a result of " + result.experiment()
                        + ": move it to " + file(result.experiment()).getFileName());
            }
            results.add(result);
        }
        return results;
    }

    /** The newest result of a scale. */
    public Optional<Result> newest(String experiment, Scale scale) throws IOException {
        Optional<Result> newest = Optional.empty();
        for (Result result : read(experiment)) {
            newest = result.scale() == scale ? Optional.of(result) : newest;
        }
        return newest;
    }

    /** The result to be shown: the newest one of the full scale, or else of the quick one. */
    public Optional<Result> shown(String experiment) throws IOException {
        Optional<Result> full = newest(experiment, Scale.FULL);
        return full.isPresent() ? full : newest(experiment, Scale.QUICK);
    }

    static String line(Result result) throws JsonProcessingException {
        ObjectNode line = JSON.createObjectNode().put(VERSION, FORMAT);
        line.setAll((ObjectNode) JSON.valueToTree(result));
        return JSON.writeValueAsString(line);
    }

    static Result parse(String line, String where) throws IOException {
        try {
            JsonNode tree = JSON.readTree(line);
            int format = tree.path(VERSION).asInt();
            if (format != FORMAT) {
                throw new IOException(where + " has format " + format + ", and this version reads format " + FORMAT
                        + ": use the version of Heddle that wrote it");
            }
            ((ObjectNode) tree).remove(VERSION);
            return JSON.treeToValue(tree, Result.class);
        } catch (JsonProcessingException e) {
            throw new IOException(where + " is not a result: " + e.getOriginalMessage(), e);
        }
    }
}
