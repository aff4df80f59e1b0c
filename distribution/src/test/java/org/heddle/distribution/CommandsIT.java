// SPDX-License-Identifier: Apache-2.0
package org.heddle.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.heddle.testkit.machine.SystemPackage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** bin/heddle as users start it: unpacked into a directory with a space in its name, through links, without Hadoop. */
class CommandsIT {
    private static final Path TREE = Path.of("..").toAbsolutePath().normalize();
    private static final List<String> COMMANDS = List.of(
            "market",
            "late",
            "pack",
            "bridge",
            "install",
            "uninstall",
            "maven-install",
            "check",
            "doctor",
            "convert",
            "why",
            "whatif",
            "mpiexec",
            "batch",
            "webfarm");

    @TempDir
    private Path directory;

    private Path unpacked = Path.of("");
    private Shell shell = new Shell(Path.of(""));

    @BeforeEach
    void unpack() throws Exception {
        unpacked = Tarball.WHOLE.unpack(Files.createDirectory(directory.resolve("a folder")));
        shell = new Shell(Files.createDirectory(directory.resolve("elsewhere")));
    }

    private List<Path> homes() {
        return List.of(unpacked, TREE);
    }

    @Test
    void everyCommandHasHelpWithoutHadoop() throws Exception {
        for (Path home : homes()) {
            for (String command : COMMANDS) {
                Shell.Outcome help = shell.run(home.resolve("bin/heddle"), command, "--help");
                assertThat(help.code()).as(command + ": " + help.err()).isZero();
                assertThat(help.out()).as(command).startsWith("Usage: heddle");
            }
        }
        Path heddle = unpacked.resolve("bin/heddle");
        assertThat(shell.run(heddle, "help", "convert")).isEqualTo(shell.run(heddle, "convert", "--help"));
    }

    @Test
    void everyCommandHasTheVersionOfItsJar() throws Exception {
        Path heddle = unpacked.resolve("bin/heddle");
        for (String command : COMMANDS) {
            Shell.Outcome version = shell.run(heddle, command, "--version");
            assertThat(version.code()).as(command + ": " + version.err()).isZero();
            assertThat(version.out()).as(command).contains(" " + Tarball.VERSION);
        }
        for (Path home : homes()) {
            assertThat(shell.run(home.resolve("bin/heddle"), "--version").out().strip())
                    .isEqualTo("heddle " + Tarball.VERSION);
        }
    }

    @Test
    void linksToLinksLeadToTheProgram() throws Exception {
        Path links = Files.createDirectory(directory.resolve("usr bin"));
        Path first = Files.createSymbolicLink(links.resolve("other"), unpacked.resolve("bin/heddle"));
        Path second = Files.createSymbolicLink(links.resolve("second"), links.relativize(first));
        assertThat(shell.run(second, "pack", "--version").out()).startsWith("heddle pack " + Tarball.VERSION);
        Path folder = Files.createSymbolicLink(directory.resolve("heddle"), unpacked);
        assertThat(shell.with("CDPATH", directory.toString())
                        .run(folder.resolve("bin/heddle"), "--version")
                        .out())
                .startsWith("heddle " + Tarball.VERSION);
        Path sample = unpacked.resolve("conf-samples/drf/minimal/heddle-scheduler.xml");
        Path onThePath = Files.createSymbolicLink(links.resolve("heddle"), unpacked.resolve("bin/heddle"));
        Shell.Outcome converted = shell.with("PATH", links + ":/usr/bin:/bin")
                .run(Path.of("bash"), "-c", "cd / && heddle convert '" + sample + "'");
        assertThat(onThePath).isSymbolicLink();
        assertThat(converted.code()).as(converted.err()).isZero();
        assertThat(converted.out()).contains("<allocations>");
    }

    @Test
    void thePlannerNeedsJavaOnly() throws Exception {
        for (Path home : homes()) {
            Path heddle = home.resolve("bin/heddle");
            String problem = home.resolve("conf-samples/packing/w2.json").toString();
            String plan = directory.resolve("plan.json").toString();
            Shell.Outcome planned = shell.run(heddle, "pack", "plan", "-o", plan, problem);
            assertThat(planned.code()).as(planned.err()).isZero();
            assertThat(shell.run(heddle, "pack", "check", plan).out()).startsWith("accepted");
            for (String command : List.of("fit", "profile", "run")) {
                assertThat(shell.run(heddle, "pack", command, "--help").code())
                        .as(command)
                        .isZero();
            }
        }
        Shell.Outcome fit = shell.run(unpacked.resolve("bin/heddle"), "pack", "fit", "some.jhist");
        assertThat(fit.code()).isEqualTo(2);
        assertThat(fit.err())
                .startsWith("heddle pack: this needs Hadoop's jars; set HADOOP_HOME")
                .hasLineCount(1);
    }

    /**
     * With the jars that docs/commands.md names, which a built tree has. CP-SAT closes the gap of this sample within
     * seconds and the planner then ends, so that the limit of time may be wide enough for a busy machine.
     */
    @Test
    void thePlannerTakesCpSatAlongWhereItIsAdded() throws Exception {
        Path folder = unpacked.resolve("lib/pack-cpsat");
        List<String> named = Pattern.compile("^  [a-z.]+:([a-z0-9-]+):([0-9.]+)( \\\\)?$", Pattern.MULTILINE)
                .matcher(Files.readString(unpacked.resolve("docs/commands.md")))
                .results()
                .map(artifact -> artifact.group(1) + "-" + artifact.group(2) + ".jar")
                .toList();
        assertThat(named).hasSize(5);
        for (String jar : named) {
            Files.copy(TREE.resolve("packing-planner/cpsat/target/lib").resolve(jar), folder.resolve(jar));
        }
        Shell.Outcome planned = shell.run(
                unpacked.resolve("bin/heddle"),
                "pack",
                "plan",
                "--planner",
                "nonphased",
                "--time-limit",
                "120",
                "--json",
                unpacked.resolve("conf-samples/packing/w2.json").toString());
        assertThat(planned.code()).as(planned.err()).isZero();
        assertThat(planned.out()).contains("\"bound\" : \"CP-SAT");
    }

    @Test
    void theBridgeTellsItsKeysWithoutHadoop() throws Exception {
        Shell.Outcome keys = shell.run(unpacked.resolve("bin/heddle"), "bridge", "--keys");
        assertThat(keys.code()).as(keys.err()).isZero();
        assertThat(keys.out()).contains("heddle.bridge.http.address = 127.0.0.1:5050");
        assertThat(shell.run(unpacked.resolve("bin/heddle"), "bridge").err())
                .startsWith("heddle bridge: this needs Hadoop's jars; set HADOOP_HOME");
    }

    /** HADOOP_HOME alone is enough: neither a hadoop command on the PATH nor in the home. */
    @ParameterizedTest
    @ValueSource(strings = {"3.5", "3.4"})
    void lateAndTheBridgeFindHadoop(String line) throws Exception {
        Path home = aHadoop(line);
        Path notes = Files.writeString(directory.resolve("notes.jhist"), "no history");
        Shell withHadoop = shell.with("HADOOP_HOME", home.toString());
        Shell.Outcome late = withHadoop.run(unpacked.resolve("bin/heddle"), "late", "replay", notes.toString());
        assertThat(late.code()).as(late.err()).isEqualTo(1);
        assertThat(late.err()).contains("notes.jhist is not a job history file");
        Shell.Outcome bridge = withHadoop.run(unpacked.resolve("bin/heddle"), "bridge", "-D", "heddle.bridge.no=1");
        assertThat(bridge.code()).as(bridge.err()).isEqualTo(2);
        assertThat(bridge.err()).contains("heddle bridge: heddle.bridge.no (set by -D): no such key;");
        String classPath = Files.readString(Path.of("../acceptance/hadoop-" + line, "target", "hadoop.jars"))
                .strip();
        assertThat(shell.with("HADOOP_CLASSPATH_ONLY", classPath)
                        .run(unpacked.resolve("bin/heddle"), "late", "replay", notes.toString())
                        .err())
                .contains("notes.jhist is not a job history file");
        assertThat(shell.run(TREE.resolve("bin/heddle"), "late", "replay", notes.toString())
                        .err())
                .as("a built tree needs no Hadoop")
                .contains("notes.jhist is not a job history file");
        assertThat(shell.run(unpacked.resolve("bin/heddle"), "late", "replay", notes.toString())
                        .err())
                .startsWith("heddle late: this needs Hadoop's jars; set HADOOP_HOME");
        assertThat(shell.with("HADOOP_HOME", directory.toString())
                        .run(unpacked.resolve("bin/heddle"), "late", "replay", notes.toString())
                        .err())
                .startsWith("heddle late: HADOOP_HOME (" + directory + ") has neither bin/hadoop nor share/hadoop");
        assertThat(shell.with("HADOOP_HOME", directory.toString())
                        .run(unpacked.resolve("bin/heddle"), "late", "--help")
                        .code())
                .isZero();
    }

    /** The older line's own FairScheduler beside ours; a site file of the class path is not read. */
    @Test
    void whatifReplaysWithTheSchedulersOfTheInstalledHadoop() throws Exception {
        Path trace = Files.writeString(
                directory.resolve("trace.json"),
                "{\"job.start.ms\": 0, \"job.queue.name\": \"root.etl\", \"job.user\": \"alice\", \"job.tasks\":"
                        + " [{\"count\": 3, \"container.duration.ms\": 30000}]}");
        Path queues = Files.writeString(
                directory.resolve("fair-scheduler.xml"), "<allocations><queue name=\"etl\"/></allocations>");
        Path site = Files.createDirectory(directory.resolve("site"));
        Files.writeString(site.resolve("yarn-site.xml"), "this would end a ResourceManager");
        String classPath = Files.readString(Path.of("../acceptance/hadoop-3.4/target/hadoop.jars"))
                .strip();
        Path page = directory.resolve("what if.html");
        Shell.Outcome replayed = shell.with("HADOOP_CLASSPATH_ONLY", site + ":" + classPath)
                .run(
                        unpacked.resolve("bin/heddle"),
                        "whatif",
                        "--trace",
                        trace.toString(),
                        "--file",
                        queues.toString(),
                        "--nodes",
                        "2",
                        "--node",
                        "memory=8Gi,vcores=8",
                        "--with",
                        "heddle,fair",
                        "--out",
                        page.toString());
        assertThat(replayed.code()).as(replayed.err()).isZero();
        assertThat(replayed.err()).isEmpty();
        assertThat(replayed.out())
                .containsPattern("root\\.etl +heddle +1 +3 ")
                .containsPattern("root\\.etl +fair +1 +3 ");
        assertThat(page).isNotEmptyFile();
        assertThat(shell.run(unpacked.resolve("bin/heddle"), "whatif", "--trace", trace.toString())
                        .err())
                .startsWith("heddle whatif: this needs Hadoop's jars; set HADOOP_HOME");
    }

    @Test
    void installAndUninstallWorkFromTheArchiveAndTheTree() throws Exception {
        for (Path from : homes()) {
            Path home = aHadoop("3.5");
            Shell.Outcome installed = shell.run(
                    from.resolve("bin/heddle"),
                    "install",
                    "--hadoop-home",
                    home.toString(),
                    "--plugin",
                    "market",
                    "--plugin",
                    "late");
            assertThat(installed.code()).as(installed.err()).isZero();
            assertThat(installed.err()).isEmpty();
            for (String place : List.of(
                    "share/hadoop/yarn/lib/heddle-drf-scheduler-",
                    "share/hadoop/yarn/lib/heddle-dynamic-priority-scheduler-",
                    "share/hadoop/mapreduce/heddle-late-speculator-")) {
                assertThat(home.resolve(place + Tarball.VERSION + ".jar")).isNotEmptyFile();
            }
            Shell.Outcome removed =
                    shell.run(from.resolve("bin/heddle"), "uninstall", "--hadoop-home", home.toString());
            assertThat(removed.code()).as(removed.err()).isZero();
            assertThat(removed.out()).hasLineCount(3);
            try (Stream<Path> all = Files.walk(home)) {
                assertThat(all.filter(path -> path.getFileName().toString().contains("heddle")))
                        .isEmpty();
            }
        }
    }

    /**
     * Links to Maven's jars in the folders of an unpacked Hadoop; not in a temporary directory, which warns of each
     * link.
     */
    private static Path aHadoop(String line) throws IOException {
        Path home = Path.of("target", "hadoop " + line).toAbsolutePath();
        if (Files.exists(home)) {
            try (Stream<Path> old = Files.walk(home)) {
                for (Path path : old.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
        Path common = Files.createDirectories(home.resolve("share/hadoop/common/lib"));
        Files.createDirectories(home.resolve("share/hadoop/yarn/lib"));
        Files.createDirectories(home.resolve("share/hadoop/mapreduce"));
        String classPath = Files.readString(Path.of("../acceptance/hadoop-" + line, "target", "hadoop.jars"))
                .strip();
        for (String jar : classPath.split(":", -1)) {
            Files.createSymbolicLink(common.resolve(Path.of(jar).getFileName()), Path.of(jar));
        }
        return home;
    }

    @Test
    void whatIsUnknownIsOneErrorAndExitCode2() throws Exception {
        Path heddle = unpacked.resolve("bin/heddle");
        assertThat(shell.run(heddle, "weave"))
                .isEqualTo(new Shell.Outcome(2, "", "heddle: unknown command weave; see heddle --help\n"));
        assertThat(shell.run(heddle, "chek").err())
                .isEqualTo("heddle: unknown command chek (did you mean check?); see heddle --help\n");
        assertThat(shell.run(heddle, "help", "weave").code()).isEqualTo(2);
        Shell.Outcome bare = shell.run(heddle);
        assertThat(bare.code()).isEqualTo(2);
        assertThat(bare.err())
                .startsWith("heddle: name a command: batch, bridge, ")
                .hasLineCount(1);
        for (String group : List.of("market", "pack", "late", "batch", "report")) {
            Shell.Outcome nameless = shell.run(heddle, group);
            assertThat(nameless.code()).as(group).isEqualTo(2);
            assertThat(nameless.err())
                    .startsWith("heddle " + group + ": name a command: ")
                    .hasLineCount(1);
            assertThat(nameless.out()).isEmpty();
        }
        assertThat(shell.run(heddle, "--help").code()).isZero();
        assertThat(shell.run(heddle, "help")).isEqualTo(shell.run(heddle, "--help"));
    }

    /** Each command of the help, misspelt. */
    @Test
    void aMisspeltCommandIsGuessed() throws Exception {
        Path heddle = unpacked.resolve("bin/heddle");
        Matcher commands = Pattern.compile("(?m)^  ([a-z-]+)  +[A-Z]")
                .matcher(shell.run(heddle, "help").out());
        int found = 0;
        while (commands.find()) {
            String command = commands.group(1);
            String misspelt = command.substring(0, 1) + "x" + command.substring(2);
            assertThat(shell.run(heddle, misspelt).err())
                    .isEqualTo("heddle: unknown command " + misspelt + " (did you mean " + command
                            + "?); see heddle --help\n");
            found++;
        }
        assertThat(found).isGreaterThan(10);
    }

    @Test
    void aMissingOrOldJavaIsNamed() throws Exception {
        Path heddle = unpacked.resolve("bin/heddle");
        Path old = java("11.0.21");
        Shell.Outcome refused = shell.with("JAVA_HOME", old.toString()).run(heddle, "market", "--help");
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err())
                .isEqualTo("heddle market: '" + old.resolve("bin/java")
                        + "' is Java 11.0.21 and this command needs 17 or newer; set JAVA_HOME to the directory of a"
                        + " newer Java\n");
        assertThat(shell.with("JAVA_HOME", old.toString())
                        .run(heddle, "late", "--help")
                        .out())
                .startsWith("Usage: heddle late");
        Path ancient = java("1.8.0_392");
        assertThat(shell.with("JAVA_HOME", ancient.toString())
                        .run(heddle, "late", "--help")
                        .err())
                .contains("is Java 1.8.0_392 and this command needs 11 or newer");
        assertThat(shell.with("JAVA_HOME", directory.toString())
                        .run(heddle, "convert", "--help")
                        .err())
                .startsWith("heddle convert: there is no Java at JAVA_HOME (" + directory);
        Path programs = Files.createDirectory(directory.resolve("no java here"));
        for (String program : List.of("bash", "dirname", "readlink", "sed")) {
            Files.createSymbolicLink(programs.resolve(program), SystemPackage.require(program));
        }
        assertThat(shell.with("JAVA_HOME", "")
                        .with("PATH", programs.toString())
                        .run(heddle, "why", "--help")
                        .err())
                .isEqualTo("heddle why: there is no java on the PATH; install Java 17 or newer, or set JAVA_HOME\n");
    }

    /** The Java of this test, which says that it is of another version. */
    private Path java(String version) throws IOException {
        Path home = Files.createDirectory(directory.resolve("java " + version));
        Path program = Files.writeString(
                Files.createDirectory(home.resolve("bin")).resolve("java"),
                "#!/bin/sh\nexec \"" + System.getProperty("java.home") + "/bin/java\" \"$@\"\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.writeString(home.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"" + version + "\"\n");
        return home;
    }

    @Test
    void bashCompletesCommandsAndOptions() throws Exception {
        // Outside an interactive shell there is no compopt.
        String script = "compopt() { :; }\nsource '" + unpacked.resolve("completion/heddle.bash") + "'\n"
                + "try() {"
                + " COMP_WORDS=(\"$@\");"
                + " COMP_CWORD=$(($#"
                + " - 1));"
                + " COMPREPLY=();"
                + " COMP_LINE=\"$*\";"
                + " \"$complete\""
                + " \"$1\""
                + " \"${COMP_WORDS[COMP_CWORD]}\""
                + " \"${COMP_WORDS[COMP_CWORD-1]}\";"
                + " echo"
                + " \"${COMPREPLY[*]}\";"
                + " }\n"
                + "complete=$(complete"
                + " -p heddle | sed"
                + " 's/.*-F \\([^"
                + " ]*\\).*/\\1/')\n"
                + "try heddle '';"
                + " try heddle"
                + " install --; try"
                + " heddle market"
                + " b\n"
                + "try heddle pack"
                + " pl\n";
        Shell.Outcome completed = shell.run(Path.of("/usr/bin/env"), "bash", "-c", script);
        assertThat(completed.err()).isEmpty();
        List<String> lines = completed.out().lines().toList();
        assertThat(lines).hasSize(4);
        assertThat(Set.of(lines.get(0).split(" +", -1))).containsAll(COMMANDS);
        assertThat(lines.get(1)).contains("--hadoop-home", "--plugin", "--dry-run");
        assertThat(lines.get(2)).contains("bid");
        assertThat(lines.get(3)).isEqualTo("plan");
    }

    @Test
    void zshLoadsTheCompletion() throws Exception {
        Path zsh = SystemPackage.require("zsh");
        Shell.Outcome loaded = shell.run(
                zsh,
                "-f",
                "-c",
                "source '" + unpacked.resolve("completion/heddle.zsh") + "' && print ${_comps[heddle]}");
        assertThat(loaded.err()).isEmpty();
        assertThat(loaded.out()).contains("_bash_complete");
    }

    @Test
    void shellCheckFindsNothing() throws Exception {
        Path shellCheck = SystemPackage.require("shellcheck");
        Shell.Outcome checked = shell.run(
                shellCheck,
                unpacked.resolve("bin/heddle").toString(),
                TREE.resolve("demo").toString(),
                TREE.resolve(".ci/run").toString(),
                TREE.resolve(".ci/setup").toString());
        assertThat(checked).isEqualTo(new Shell.Outcome(0, "", ""));
    }
}
