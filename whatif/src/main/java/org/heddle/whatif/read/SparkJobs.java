// SPDX-License-Identifier: Apache-2.0
package org.heddle.whatif.read;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.heddle.packing.fit.SparkApplication;
import org.heddle.packing.fit.SparkApplication.Executor;
import org.heddle.packing.fit.SparkApplication.Task;
import org.heddle.whatif.model.Job;
import org.heddle.whatif.model.Size;
import org.heddle.whatif.model.StagedWork;
import org.heddle.whatif.model.TaskGroup;
import org.heddle.whatif.model.TaskKind;

/**
 * Makes jobs of Spark's applications, as they run on YARN: containers are as large as Spark's defaults and the
 * application's properties say.
 */
final class SparkJobs {
    private static final Pattern MEMORY = Pattern.compile("(\\d{1,9})([kmgtp]?)b?");
    private static final long LEAST_OVERHEAD_MB = 384;
    private static final double OVERHEAD = 0.1;
    private static final long IDLE_MILLIS = 60_000;

    private SparkJobs() {}

    /** @throws IllegalArgumentException one sentence if a size among its properties is none */
    static Job job(SparkApplication application) {
        Size executor = executor(application);
        int executors = Math.max(1, application.mostExecutors());
        List<StagedWork.Stage> stages = application.stages().stream()
                .map(stage -> new StagedWork.Stage(
                        stage.tasks().stream().mapToLong(Task::millis).toArray(), stage.after()))
                .toList();
        StagedWork work = new StagedWork(
                application.tasksAtOnce(), Math.round(1_000 * application.outside()), idleMillis(application), stages);
        return new Job(
                application.id(),
                application.user(),
                application.properties().getOrDefault("spark.yarn.queue", "default"),
                application.submittedMillis(),
                application.finishedMillis(),
                master(application),
                0,
                0,
                application.succeeded(),
                List.of(new TaskGroup(TaskKind.EXECUTOR, executor, new long[executors])),
                work,
                application.number("spark.yarn.priority", 0));
    }

    static Size executor(SparkApplication application) {
        int cores = application.executors().stream()
                .mapToInt(Executor::cores)
                .max()
                .orElse(application.number("spark.executor.cores", 1));
        long python = megabytes(application, "spark.executor.pyspark.memory", "0");
        return new Size(withOverhead(application, "spark.executor", "spark.executor.memory", "1g") + python, cores);
    }

    /** In cluster mode the driver runs in it. */
    private static Size master(SparkApplication application) {
        if (application
                .properties()
                .getOrDefault("spark.submit.deployMode", "client")
                .equals("cluster")) {
            return new Size(
                    withOverhead(application, "spark.driver", "spark.driver.memory", "1g"),
                    Math.max(1, application.number("spark.driver.cores", 1)));
        }
        return new Size(
                withOverhead(application, "spark.yarn.am", "spark.yarn.am.memory", "512m"),
                Math.max(1, application.number("spark.yarn.am.cores", 1)));
    }

    private static long withOverhead(SparkApplication application, String prefix, String memory, String fallback) {
        long heap = megabytes(application, memory, fallback);
        long overhead = Math.max(LEAST_OVERHEAD_MB, Math.round(OVERHEAD * heap));
        for (String name :
                List.of(prefix + ".memoryOverhead", prefix.replace("spark.", "spark.yarn.") + ".memoryOverhead")) {
            if (application.properties().containsKey(name)) {
                overhead = megabytes(application, name, "0");
                break;
            }
        }
        return heap + overhead;
    }

    /** As Spark reads sizes: a number without a unit is MiB. */
    private static long megabytes(SparkApplication application, String name, String fallback) {
        String text = application.properties().getOrDefault(name, fallback);
        Matcher matcher = MEMORY.matcher(text.strip().toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new IllegalArgumentException(name + " = '" + text + "' is no size");
        }
        long number = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "k" -> number / 1_024;
            case "g" -> number * 1_024;
            case "t", "p" -> number * 1_024 * 1_024;
            default -> number;
        };
    }

    /** With dynamic allocation, executors without tasks go. */
    private static long idleMillis(SparkApplication application) {
        if (!application
                .properties()
                .getOrDefault("spark.dynamicAllocation.enabled", "false")
                .equals("true")) {
            return Long.MAX_VALUE;
        }
        String text = application
                .properties()
                .getOrDefault("spark.dynamicAllocation.executorIdleTimeout", "60")
                .strip();
        Matcher matcher = Pattern.compile("(\\d{1,6})(s|m|min)?").matcher(text);
        if (!matcher.matches()) {
            return IDLE_MILLIS;
        }
        long number = Long.parseLong(matcher.group(1));
        boolean isMinutes = matcher.group(2) != null && matcher.group(2).startsWith("m");
        return 1_000 * (isMinutes ? 60 * number : number);
    }
}
