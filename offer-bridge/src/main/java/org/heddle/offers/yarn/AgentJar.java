// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.yarn;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.yarn.api.records.LocalResource;
import org.apache.hadoop.yarn.api.records.LocalResourceType;
import org.apache.hadoop.yarn.api.records.LocalResourceVisibility;
import org.heddle.offers.agent.Agent;
import org.heddle.settings.process.LocaleEncoding;
import org.heddle.settings.process.ProcessStart;

/** The agent's jar, made of the bridge's own classes and put into the staging directory once for each version. */
final class AgentJar {
    private static final String PACKAGE = Agent.class.getPackageName().replace('.', '/');
    /** Of another package, and needed by the agent. */
    private static final List<Class<?>> SHARED = List.of(LocaleEncoding.class, ProcessStart.class);

    private static final long FIXED_TIME = 1_700_000_000_000L;

    private final LocalResource jar;

    private AgentJar(LocalResource jar) {
        this.jar = jar;
    }

    LocalResource jar() {
        return jar;
    }

    /**
     * Puts the jar into the directory unless it is there.
     *
     * @throws IOException if the directory cannot be used; the message names it
     */
    static AgentJar publish(String directory, Configuration conf) throws IOException {
        byte[] bytes = jarBytes();
        org.apache.hadoop.fs.Path name =
                new org.apache.hadoop.fs.Path(directory, "agent-" + UUID.nameUUIDFromBytes(bytes) + ".jar");
        try {
            FileSystem files = name.getFileSystem(conf);
            org.apache.hadoop.fs.Path target = files.makeQualified(name);
            if (!isThere(files, target, bytes.length)) {
                put(files, target, bytes);
            }
            FileStatus status = files.getFileStatus(target);
            return new AgentJar(LocalResource.newInstance(
                    org.apache.hadoop.yarn.api.records.URL.fromPath(target, conf),
                    LocalResourceType.FILE,
                    LocalResourceVisibility.APPLICATION,
                    status.getLen(),
                    status.getModificationTime()));
        } catch (IOException e) {
            throw new IOException(
                    directory + " (heddle.bridge.staging.dir) cannot take the agent's jar: " + e.getMessage(), e);
        }
    }

    private static boolean isThere(FileSystem files, org.apache.hadoop.fs.Path target, int length) throws IOException {
        return files.exists(target) && files.getFileStatus(target).getLen() == length;
    }

    /**
     * Other bridges may do the same at the same moment, so it comes there whole, under its name. Its time is always the
     * same: YARN refuses a file whose time is not the one that a bridge has told.
     */
    private static void put(FileSystem files, org.apache.hadoop.fs.Path target, byte[] bytes) throws IOException {
        org.apache.hadoop.fs.Path parent = target.getParent();
        if (!files.exists(parent)) {
            FileSystem.mkdirs(files, parent, new FsPermission((short) 0755));
        }
        org.apache.hadoop.fs.Path own = target.suffix("." + UUID.randomUUID());
        try {
            try (OutputStream out = files.create(own, false)) {
                out.write(bytes);
            }
            files.setPermission(own, new FsPermission((short) 0644));
            files.setTimes(own, FIXED_TIME, -1);
            if (files.exists(target) && !isThere(files, target, bytes.length)) {
                files.delete(target, false);
            }
            if (!files.rename(own, target) && !isThere(files, target, bytes.length)) {
                throw new IOException(own + " cannot be renamed to " + target.getName());
            }
        } finally {
            files.delete(own, false);
        }
    }

    private static byte[] jarBytes() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JarOutputStream out = new JarOutputStream(bytes)) {
            for (String name : classNames()) {
                add(PACKAGE + "/" + name, out);
            }
            for (Class<?> shared : SHARED) {
                add(shared.getName().replace('.', '/') + ".class", out);
            }
        }
        return bytes.toByteArray();
    }

    private static void add(String name, JarOutputStream out) throws IOException {
        JarEntry entry = new JarEntry(name);
        entry.setTime(FIXED_TIME);
        out.putNextEntry(entry);
        try (InputStream in = Agent.class.getResourceAsStream("/" + name)) {
            if (in == null) {
                throw new IOException("class " + name + " of the agent cannot be read");
            }
            in.transferTo(out);
        }
        out.closeEntry();
    }

    private static List<String> classNames() throws IOException {
        URL own = Agent.class.getResource("Agent.class");
        if (own == null) {
            throw new IOException("the classes of the agent are not on the class path");
        }
        List<String> names = new ArrayList<>();
        if (own.openConnection() instanceof JarURLConnection connection) {
            Collections.list(connection.getJarFile().entries()).stream()
                    .map(JarEntry::getName)
                    .filter(name -> name.startsWith(PACKAGE + "/") && name.endsWith(".class"))
                    .map(name -> name.substring(PACKAGE.length() + 1))
                    .filter(name -> !name.contains("/"))
                    .forEach(names::add);
        } else {
            try (Stream<Path> files =
                    Files.list(Path.of(new URI(own.toString())).resolveSibling(""))) {
                files.map(file -> String.valueOf(file.getFileName()))
                        .filter(name -> name.endsWith(".class"))
                        .forEach(names::add);
            } catch (URISyntaxException e) {
                throw new IOException("the agent's classes are at " + own + ", which is no address", e);
            }
        }
        Collections.sort(names);
        return names;
    }
}
