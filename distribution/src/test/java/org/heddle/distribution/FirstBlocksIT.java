// SPDX-License-Identifier: Apache-2.0
package org.heddle.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The first block of the pages that somebody reads first, as it is printed. */
class FirstBlocksIT {
    private static final Path BASH = Path.of("/bin/bash");

    @TempDir
    private Path directory;

    private Path hadoop = Path.of("");

    @BeforeEach
    void aHadoop() throws Exception {
        hadoop = directory.resolve("hadoop");
        for (String folder : new String[] {"share/hadoop/yarn/lib", "share/hadoop/mapreduce/lib", "etc/hadoop"}) {
            Files.createDirectories(hadoop.resolve(folder));
        }
        Files.writeString(hadoop.resolve("share/hadoop/yarn/hadoop-yarn-api-3.5.0.jar"), "theirs");
        Files.writeString(
                hadoop.resolve("etc/hadoop/fair-scheduler.xml"), "<allocations><queue name=\"etl\"/></allocations>");
    }

    private static String firstBlock(Path page) throws Exception {
        List<Page.Block> blocks = Page.read(page.toString(), Files.readString(page)).blocks().stream()
                .filter(block -> block.language().isEmpty())
                .toList();
        assertThat(blocks).as(page + " has a block").isNotEmpty();
        return blocks.get(0).text().replace("<version>", Tarball.VERSION);
    }

    private Shell.Outcome run(Path place, String block) throws Exception {
        return new Shell(place).with("HADOOP_HOME", hadoop.toString()).run(BASH, "-e", "-c", block);
    }

    @ParameterizedTest
    @EnumSource
    void ofTheArchivesOwnReadme(Tarball archive) throws Exception {
        Path root = archive.unpack(directory);
        Shell.Outcome ran = run(root, firstBlock(root.resolve("README.md")));
        assertThat(ran.code()).as(ran.err()).isZero();
        assertThat(ran.out()).contains("Usage: heddle", "would be copied");
    }

    @Test
    void ofInstallBesideTheDownload() throws Exception {
        Path downloads = Files.createDirectory(directory.resolve("downloads"));
        Path archive = Files.copy(
                Tarball.WHOLE.file(), downloads.resolve(Tarball.WHOLE.file().getFileName()));
        String sum =
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-512").digest(Files.readAllBytes(archive)));
        Files.writeString(
                archive.resolveSibling(archive.getFileName() + ".sha512"), sum + "  " + archive.getFileName() + "\n");
        Shell.Outcome ran = run(downloads, firstBlock(Path.of("../docs/install.md")));
        assertThat(ran.code()).as(ran.err()).isZero();
        assertThat(ran.out()).contains(archive.getFileName() + ": OK", "heddle " + Tarball.VERSION, "Usage: heddle");
    }
}
