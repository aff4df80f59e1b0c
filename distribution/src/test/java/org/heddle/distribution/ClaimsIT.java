// SPDX-License-Identifier: Apache-2.0
package org.heddle.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/**
 * What the pages of an archive name is there: commands with their options, keys, variables, metrics, elements,
 * addresses, classes and files. Keys and metrics of docs/config*.md, docs/metrics.md and docs/bridge-operators.md are compared with
 * the code by tests of their modules; here all other pages are compared with them.
 */
class ClaimsIT {
    private static final Pattern WORD = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]*");
    private static final Pattern COMMAND =
            Pattern.compile("(?:^|[\\s(|;&])(?:bin/)?heddle( (?:\"[^\"]*\"|'[^']*'|[^|>;&])*)");
    private static final Pattern STANDS_FOR_OTHERS = Pattern.compile("\\[|[.]{3}|\\b[A-Z]{2,}\\b");
    private static final Pattern QUOTED = Pattern.compile("\"[^\"]*\"|'[^']*'|\\S+");
    private static final Pattern OWN_KEY = Pattern.compile(
            "(?<![\\w./:@-])((?:yarn[.]scheduler[.]heddle|mapreduce[.]heddle|heddle|spark[.]offers)[.][a-z][\\w.-]*)");
    private static final Pattern KEY_OF_HADOOP = Pattern.compile(
            "(?<![\\w./:@-])((?:yarn|mapreduce|dfs|hadoop|fs|ipc)(?![.]scheduler[.]heddle|[.]heddle)(?:[.][a-z0-9][a-zA-Z0-9_-]*)+)");
    /** Flink's, and a property of Maven. */
    private static final Set<String> OF_OTHERS = Set.of("yarn.application.queue", "yarn.tags", "hadoop.version");

    private static final Pattern VARIABLE = Pattern.compile("\\b(HEDDLE_[A-Z_]*[A-Z])\\b");
    private static final Pattern METRIC = Pattern.compile("\\b(heddle_[a-z_]+)");
    private static final Pattern METRIC_OF_TABLE = Pattern.compile("(?m)^\\| `(heddle_[a-z_]+)[A-Z]*`");
    /** They are those of Hadoop's metrics system; MonitoringTest and MetricsDocTest compare them. */
    private static final Pattern AT_PROM = Pattern.compile("heddle_(market|scheduler)_.*");

    private static final Pattern ELEMENT = Pattern.compile("<([a-z][a-zA-Z-]*)(?: [a-z-]+=\"[^\"]*\")*/?>");
    private static final Pattern ADDRESS = Pattern.compile("(?<![\\w.])/heddle((?:/[a-z0-9][a-z0-9.-]*)+)");
    private static final Pattern CLASS =
            Pattern.compile("(?<![\\w.-])(org[.](?:heddle|apache[.]hadoop)(?:[.][a-z]\\w*)+[.][A-Z]\\w+)");
    private static final Pattern FILE = Pattern.compile(
            "(?<![\\w./-])((?:bin|conf-samples|examples|plugins|lib|maven|completion|licenses)/[\\w./*<>@-]*[\\w*/])");
    private static final Pattern NO_KEYS = Pattern.compile("heddle[.](bash|zsh|properties|prom|tmp|version)");
    private static final Pattern OF_THE_SOURCES =
            Pattern.compile("(?<![\\w/-])(src/|[.]/mvnw|[.]/demo\\b|[A-Z][a-z]\\w*(?:Test|IT)\\b)");
    private static final Pattern SAYS_SO = Pattern.compile("(source|built)\\s+tree");
    /** They say for each claim of a paper or a figure which test holds it. */
    private static final Set<String> EVIDENCE = Set.of("docs/evaluation.md", "docs/market-claims.md");

    @TempDir
    private static Path directory;

    private static final Map<Tarball, Path> ROOTS = new EnumMap<>(Tarball.class);
    private static final Map<Tarball, List<Page>> PAGES = new EnumMap<>(Tarball.class);
    /** Words in classes and resources of Heddle's jars. */
    private static final Set<String> OWN_WORDS = new HashSet<>();

    private static final Set<String> WORDS_OF_HADOOP = new HashSet<>();
    private static final Set<String> CLASSES = new HashSet<>();

    @BeforeAll
    static void read() throws Exception {
        for (Tarball archive : Tarball.values()) {
            Path root = archive.unpack(directory);
            ROOTS.put(archive, root);
            PAGES.put(archive, Page.of(root));
        }
        Path whole = root(Tarball.WHOLE);
        try (Stream<Path> all = Files.walk(whole)) {
            for (Path jar : all.filter(file -> file.toString().endsWith(".jar")).toList()) {
                words(jar, OWN_WORDS, name -> name.startsWith("org/heddle/"));
            }
        }
        WORD.matcher(Files.readString(whole.resolve("bin/heddle")))
                .results()
                .forEach(word -> OWN_WORDS.add(word.group()));
        for (String line : List.of("3.5", "3.4")) {
            String jars = Files.readString(Path.of("../acceptance/hadoop-" + line, "target", "hadoop.jars"))
                    .strip();
            for (String jar : jars.split(File.pathSeparator, -1)) {
                words(
                        Path.of(jar),
                        WORDS_OF_HADOOP,
                        name -> name.matches(
                                ".*-default[.]xml|org/apache/hadoop/.*(Conf|Config|Keys|Constants|AllocationFileQueueParser"
                                        + "|AllocationFileParser|AuthenticationFilter|HttpServer2)[^/]*[.]class"));
            }
        }
    }

    private static Path root(Tarball archive) {
        return ROOTS.getOrDefault(archive, directory);
    }

    private static List<Page> pages(Tarball archive) {
        return PAGES.getOrDefault(archive, List.of());
    }

    private static void words(Path jar, Set<String> words, Predicate<String> wanted) throws IOException {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            for (ZipEntry entry : zip.stream().toList()) {
                String name = entry.getName();
                if (name.endsWith(".class")) {
                    CLASSES.add(
                            name.substring(0, name.length() - ".class".length()).replace('/', '.'));
                }
                if (wanted.test(name)) {
                    byte[] bytes = zip.getInputStream(entry).readAllBytes();
                    Matcher word = WORD.matcher(new String(bytes, StandardCharsets.ISO_8859_1));
                    while (word.find()) {
                        words.add(word.group());
                    }
                }
            }
        }
    }

    /** Each finding of a pattern that does not hold, with its page. */
    private static List<String> wrong(Tarball archive, Pattern pattern, Predicate<String> holds) {
        return pages(archive).stream()
                .flatMap(page ->
                        page.find(pattern).filter(found -> !holds.test(found)).map(found -> page.name() + ": " + found))
                .distinct()
                .toList();
    }

    private static boolean isOrBegins(Set<String> words, String text) {
        String stem = text.replaceFirst("[._-]$", "");
        return words.contains(stem)
                || words.stream()
                        .anyMatch(word -> word.startsWith(stem) && ".-_".indexOf(word.charAt(stem.length())) >= 0);
    }

    @ParameterizedTest
    @EnumSource
    void commandsHaveTheseNamesAndOptions(Tarball archive) throws Exception {
        CommandLine all = Commands.all();
        List<String> wrong = new ArrayList<>();
        int seen = 0;
        for (Page page : pages(archive)) {
            List<String> lines = new ArrayList<>();
            page.blocks().forEach(block -> lines.addAll(block.commands()));
            page.code().stream().filter(code -> !code.contains("\n")).forEach(lines::add);
            for (String line : lines) {
                Matcher command = COMMAND.matcher(line);
                while (command.find()) {
                    seen++;
                    String why = refusal(all, command.group(1));
                    if (!why.isEmpty()) {
                        wrong.add(page.name() + ": heddle" + command.group(1) + " (" + why + ")");
                    }
                }
            }
        }
        assertThat(seen).isGreaterThan(30);
        assertThat(wrong).isEmpty();
    }

    /** Why a command line cannot be right; empty if it can. Words in capitals stand for others. */
    private static String refusal(CommandLine all, String words) {
        CommandLine command = all;
        boolean inside = true;
        for (String word : words.strip().split("[\\s\\[\\]()]+", -1)) {
            CommandLine next = command.getSubcommands().get(word);
            if (word.startsWith("./")) {
                return ""; // a program with options of its own
            } else if (word.startsWith("-") && word.length() > 1) {
                String option = word.split("[=,.]", 2)[0];
                boolean known = command.getCommandSpec().optionsMap().containsKey(option) || option.startsWith("-D");
                if (!known) {
                    return option;
                }
            } else if (inside && next != null) {
                command = next;
            } else if (inside
                    && word.matches("[A-Z.]+|help")
                    && !command.getSubcommands().isEmpty()) {
                return ""; // any command
            } else if (inside && command == all && !word.isEmpty()) {
                return word;
            } else {
                inside = false;
            }
        }
        return "";
    }

    /** Blocks to copy from: their command lines are complete. */
    @ParameterizedTest
    @EnumSource
    void commandsToCopyAreComplete(Tarball archive) throws Exception {
        List<String> wrong = new ArrayList<>();
        for (Page page : pages(archive)) {
            for (Page.Block block : page.blocks()) {
                for (String line : block.commands()) {
                    Matcher command = COMMAND.matcher(line.replaceAll("\\$[A-Z_]+", "x"));
                    if (command.find()
                            && !STANDS_FOR_OTHERS.matcher(command.group(1)).find()) {
                        String[] words = QUOTED.matcher(command.group(1).replaceFirst("\\) *$", ""))
                                .results()
                                .map(word -> word.group().replaceAll("^[\"']|[\"']$", ""))
                                .toArray(String[]::new);
                        try {
                            Commands.all().parseArgs(words);
                        } catch (ParameterException e) {
                            wrong.add(page.name() + ": " + line + " (" + e.getMessage() + ")");
                        }
                    }
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void keysAreKnown(Tarball archive) throws Exception {
        Set<String> known = new HashSet<>(optionsAsKeys());
        for (Page page : pages(Tarball.WHOLE)) {
            if (page.name().matches("docs/config[a-z-]*[.]md|docs/modules/offer-bridge-frameworks-spark[.]md")) {
                page.find(Pattern.compile("([a-z][\\w.-]*)")).forEach(known::add);
            }
        }
        assertThat(known).contains("heddle.bridge.http.address", "heddle.pack.plan.time-limit");
        assertThat(wrong(
                        archive,
                        OWN_KEY,
                        key -> isOrBegins(known, key)
                                || NO_KEYS.matcher(key).matches()
                                || CLASSES.stream().anyMatch(name -> name.startsWith("org." + key))))
                .isEmpty();
        assertThat(wrong(archive, KEY_OF_HADOOP, key -> OF_OTHERS.contains(key) || isOrBegins(WORDS_OF_HADOOP, key)))
                .isEmpty();
    }

    /** What docs/commands.md calls the name of an option. */
    private static Set<String> optionsAsKeys() throws ClassNotFoundException {
        Set<String> names = new HashSet<>();
        add(Commands.all(), "heddle.", names);
        return names;
    }

    private static void add(CommandLine command, String start, Set<String> names) {
        command.getCommandSpec().options().forEach(option -> {
            String name = option.longestName().replaceFirst("^-+", "");
            names.add(start + name);
            names.add(start.replaceFirst("[^.]+[.]$", "") + name);
        });
        command.getSubcommands().forEach((name, inner) -> add(inner, start + name + ".", names));
    }

    @ParameterizedTest
    @EnumSource
    void variablesAreRead(Tarball archive) throws Exception {
        Set<String> known = new HashSet<>(OWN_WORDS);
        for (String key : optionsAsKeys()) {
            known.add(variable(key));
        }
        pages(Tarball.WHOLE).stream()
                .filter(page -> page.name().equals("docs/config-bridge.md"))
                .flatMap(page -> page.find(OWN_KEY))
                .forEach(key -> known.add(variable(key)));
        assertThat(wrong(archive, VARIABLE, known::contains)).isEmpty();
    }

    private static String variable(String key) {
        return key.replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT);
    }

    @ParameterizedTest
    @EnumSource
    void metricsExist(Tarball archive) throws Exception {
        Set<String> known = new HashSet<>();
        for (Page page : pages(Tarball.WHOLE)) {
            if (page.name().matches("docs/(metrics|bridge-operators)[.]md")) {
                METRIC_OF_TABLE.matcher(page.text()).results().forEach(row -> known.add(row.group(1)));
            }
        }
        Predicate<String> holds = name -> AT_PROM.matcher(name).matches()
                || isOrBegins(known, name)
                || OWN_WORDS.contains(name) // tables of databases
                || known.contains(name.replaceFirst("_(total|bucket|count|sum)$", ""))
                || known.stream().anyMatch(kind -> kind.endsWith("_") && name.startsWith(kind));
        assertThat(wrong(archive, METRIC, holds)).isEmpty();
        try (Stream<Path> samples = Files.walk(root(archive).resolve("conf-samples/monitoring"))) {
            for (Path sample : samples.filter(Files::isRegularFile).toList()) {
                assertThat(METRIC.matcher(Files.readString(sample)).results().map(name -> name.group(1)))
                        .as(sample.toString())
                        .allMatch(holds);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void elementsAndAddressesExist(Tarball archive) {
        Set<String> known = new HashSet<>(OWN_WORDS);
        known.addAll(WORDS_OF_HADOOP);
        known.addAll(Set.of("property", "configuration", "version", "name", "value", "artifactId", "maxJobs"));
        assertThat(wrong(archive, ELEMENT, known::contains)).isEmpty();
        assertThat(wrong(
                        archive,
                        ADDRESS,
                        path -> Stream.of(path.substring(1).split("/", -1))
                                .allMatch(
                                        part -> known.contains(part) || part.matches("application_[0-9_]+|root[.].*"))))
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void classesAreInTheJars(Tarball archive) {
        assertThat(wrong(archive, CLASS, CLASSES::contains)).isEmpty();
    }

    /** Pages of the smaller archive say which commands and files are in the larger one only. */
    @Test
    void filesAreThere() throws Exception {
        Path root = root(Tarball.WHOLE);
        List<Path> files;
        try (Stream<Path> all = Files.walk(root)) {
            files = all.map(root::relativize).toList();
        }
        assertThat(wrong(Tarball.WHOLE, FILE, name -> {
                    String glob = name.replace("<version>", Tarball.VERSION).replaceFirst("/$", "");
                    PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + glob);
                    return files.stream().anyMatch(matcher::matches);
                }))
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void pagesAreOfTheArchiveNotOfTheSources(Tarball archive) {
        List<String> wrong = new ArrayList<>();
        for (Page page : pages(archive)) {
            for (String paragraph : page.text().split("\n\\s*\n", -1)) {
                boolean says = EVIDENCE.contains(page.name())
                        || SAYS_SO.matcher(paragraph).find();
                Matcher found = OF_THE_SOURCES.matcher(paragraph);
                while (!says && found.find()) {
                    wrong.add(page.name() + ": " + found.group());
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void blocksOfXmlAndJsonCanBeRead(Tarball archive) throws Exception {
        for (Page page : pages(archive)) {
            for (Page.Block block : page.blocks()) {
                if (block.language().equals("xml")) {
                    byte[] text = ("<all>" + block.text() + "</all>").getBytes(StandardCharsets.UTF_8);
                    DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new ByteArrayInputStream(text));
                } else if (block.language().equals("json")) {
                    assertThat(new ObjectMapper().readTree(block.text()))
                            .as(page.name())
                            .isNotNull();
                }
            }
        }
    }
}
