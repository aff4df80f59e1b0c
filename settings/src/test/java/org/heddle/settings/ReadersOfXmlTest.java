// SPDX-License-Identifier: Apache-2.0
package org.heddle.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Which classes of all modules make a parser of XML, or give Hadoop a configuration to read. It looks at the sources,
 * so that no module can forget it. Whoever adds a class here says in docs/security.md whose files it reads.
 */
class ReadersOfXmlTest {
    /** A {@code JobConf} of anything but a configuration reads a file. */
    private static final Pattern READER = Pattern.compile("\\b(DocumentBuilderFactory|SAXParserFactory|XMLInputFactory"
            + "|XMLReaderFactory|TransformerFactory|SchemaFactory|XPathFactory|SAXTransformerFactory|JAXBContext"
            + "|XMLDecoder|XmlMapper|WstxInputFactory|XMLConfiguration|addResource)\\b"
            + "|new JobConf\\((?!\\)|conf\\)|saved\\))");

    private static final List<String> READERS = List.of(
            "settings/src/main/java/org/heddle/settings/RestrictedXml.java",
            "drf-scheduler/src/main/java/org/heddle/scheduler/config/xml/XmlFile.java",
            "packing-planner/src/main/java/org/heddle/packing/fit/SavedConfiguration.java",
            "packing-planner/src/main/java/org/heddle/packing/run/YarnCluster.java",
            "whatif/src/main/java/org/heddle/whatif/cli/Run.java",
            "whatif/src/main/java/org/heddle/whatif/scheduler/ReplayConfiguration.java",
            "offer-bridge/src/main/java/org/heddle/offers/SiteFiles.java",
            "testkit/src/main/java/org/heddle/testkit/ProcessSite.java");

    private static boolean reads(String source) {
        return READER.matcher(source).find();
    }

    @Test
    void onlyTheseReadXml() throws IOException {
        assertThat(ProjectSources.java(ReadersOfXmlTest::reads))
                .as("another class reads XML: use RestrictedXml, or SavedConfiguration for Hadoop's configurations")
                .containsExactlyInAnyOrderElementsOf(READERS);
    }

    @Test
    void everyReaderIsInTheDocuments() throws IOException {
        String documents = Files.readString(ProjectSources.ROOT.resolve("docs/security.md"));
        assertThat(READERS.stream()
                        .map(file -> Path.of(file).getFileName().toString().replace(".java", ""))
                        .collect(Collectors.toList()))
                .allSatisfy(name -> assertThat(documents).contains("`" + name + "`"));
    }

    @Test
    void anotherReaderIsNoticed() {
        assertThat(List.of(
                        "SAXParserFactory.newInstance()",
                        "var a = javax.xml.parsers.DocumentBuilderFactory.newNSInstance();",
                        "files.forEach(conf::addResource);",
                        "conf.addResource(in, name);",
                        "new JobConf(\"job.xml\")",
                        "new JobConf(path)"))
                .allMatch(ReadersOfXmlTest::reads);
        assertThat(List.of("new JobConf(conf)", "XMLOutputFactory")).noneMatch(ReadersOfXmlTest::reads);
    }
}
