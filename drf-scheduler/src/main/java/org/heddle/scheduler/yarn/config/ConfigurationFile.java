// SPDX-License-Identifier: Apache-2.0
package org.heddle.scheduler.yarn.config;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.security.PrivilegedExceptionAction;
import java.util.EnumSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.UserGroupInformation;
import org.heddle.settings.file.AtomicFile;

/**
 * Replaces a configuration file: a reader sees the old content or the new one, never a part, also after a crash. The
 * old content is kept beside it, under its name and {@code .previous}. The file may be local or in a Hadoop file
 * system; it is written as the user of the ResourceManager, whoever asked for the change.
 */
final class ConfigurationFile {
    static final String PREVIOUS = ".previous";
    private static final String NEXT = ".next";

    private final Configuration conf;

    ConfigurationFile(Configuration conf) {
        this.conf = conf;
    }

    /** @throws IOException one sentence, if the file cannot be written */
    void replace(URL place, byte[] before, byte[] after) throws IOException {
        try {
            if (place.getProtocol().equals("file")) {
                replace(Path.of(place.toURI()).toRealPath(), before, after);
            } else if (place.getProtocol().equals("jar")) {
                throw new IOException("it stands in a jar");
            } else {
                replaceRemote(place.toURI(), before, after);
            }
        } catch (URISyntaxException | IOException e) {
            throw new IOException(
                    place + " cannot be replaced: " + e.getMessage()
                            + "; let the user of the ResourceManager write there",
                    e);
        }
    }

    private static void replace(Path file, byte[] before, byte[] after) throws IOException {
        write(beside(file, PREVIOUS), before, file);
        write(beside(file, NEXT), after, file);
        AtomicFile.replace(file, beside(file, NEXT));
    }

    private static Path beside(Path file, String suffix) {
        return file.resolveSibling(file.getFileName() + suffix);
    }

    private static void write(Path file, byte[] content, Path model) throws IOException {
        Files.deleteIfExists(file);
        try (FileChannel out = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            if (Files.getFileStore(model).supportsFileAttributeView(PosixFileAttributeView.class)) {
                Files.setPosixFilePermissions(file, Files.getPosixFilePermissions(model));
            }
            ByteBuffer bytes = ByteBuffer.wrap(content);
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
            out.force(true);
        }
    }

    private void replaceRemote(URI place, byte[] before, byte[] after) throws IOException {
        try {
            UserGroupInformation.getLoginUser().doAs((PrivilegedExceptionAction<Void>) () -> {
                org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(place);
                FileContext files = FileContext.getFileContext(place, conf);
                FsPermission permission = files.getFileStatus(file).getPermission();
                write(files, file.suffix(PREVIOUS), before, permission);
                write(files, file.suffix(NEXT), after, permission);
                files.rename(file.suffix(NEXT), file, Options.Rename.OVERWRITE);
                return null;
            });
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static void write(
            FileContext files, org.apache.hadoop.fs.Path file, byte[] content, FsPermission permission)
            throws IOException {
        try (FSDataOutputStream out = files.create(file, EnumSet.of(CreateFlag.CREATE, CreateFlag.OVERWRITE))) {
            OutputStream bytes = out;
            bytes.write(content);
            out.hsync();
        }
        files.setPermission(file, permission);
    }
}
